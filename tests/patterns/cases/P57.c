/* non-affine i*i, i%k. */
void p57(int n,float*a,float*b){ for(int i=0;i<n;i++) a[i*i]=b[i]; }
