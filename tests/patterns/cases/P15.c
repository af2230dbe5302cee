/* scatter y[idx[i]]. */
void p15(int n,float*x,int*idx,float*y){ for(int i=0;i<n;i++) y[idx[i]]=x[i]; }
