/* A^T x, i outer (ATAX/BICG). */
void p19(int n,int m,float*A,float*x,float*y){
  for(int i=0;i<n;i++) for(int j=0;j<m;j++) y[j]+=A[i*m+j]*x[i]; }
