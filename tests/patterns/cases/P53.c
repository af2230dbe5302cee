/* guarded access. */
void p53(int n,float*a,float*b){ for(int i=0;i<n;i++) b[i]=(i>0 && a[i-1]>0)?1:0; }
