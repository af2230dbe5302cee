/* fdtd: bound shrinks by outer var. */
void p55(int T,int n,float*a,float*b){ for(int t=1;t<T;t++) for(int i=t;i<n-t;i++) a[i]+=b[i-t]; }
