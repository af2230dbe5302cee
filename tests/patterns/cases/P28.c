/* inclusive bound. */
void p28(int n,float*a){ for(int i=0;i<=n;i++) a[i]=0; }
