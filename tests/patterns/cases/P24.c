/* count down. */
void p24(int n,float*a){ for(int i=n-1;i>=0;i--) a[i]=i; }
