/* symbolic distance. */
void p05(int n,int k,float*a){ for(int i=0;i<n;i++) a[i]=a[i+k]+1; }
