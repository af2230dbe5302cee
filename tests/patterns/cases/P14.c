/* gather x[idx[i]]. */
void p14(int n,float*x,int*idx,float*y){ for(int i=0;i<n;i++) y[i]=x[idx[i]]; }
