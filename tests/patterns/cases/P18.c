/* GEMM, doall + inner accumulate. */
void p18(int n,int m,int k,float*A,float*B,float*C){
  for(int i=0;i<n;i++) for(int j=0;j<m;j++) for(int l=0;l<k;l++) C[i*m+j]+=A[i*k+l]*B[l*m+j]; }
