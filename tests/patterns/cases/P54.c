/* conditional store. */
void p54(int n,int*c,float*y){ for(int i=0;i<n;i++) if(c[i]) y[i]=1; }
