/* anti-dep a[i]=a[i+1]. */
void p04(int n,float*a){ for(int i=0;i<n-1;i++) a[i]=a[i+1]; }
