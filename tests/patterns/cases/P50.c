/* host read between kernels. */
float p50(int T,int n,float*a){ float r=0; for(int t=0;t<T;t++){ for(int i=0;i<n;i++) a[i]+=1; r+=a[0]; } return r; }
