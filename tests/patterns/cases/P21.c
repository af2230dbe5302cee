/* symmetric write (CORR/COVAR). */
void p21(int n,float*A,float*C){
  for(int i=0;i<n;i++) for(int j=i+1;j<n;j++){ C[i*n+j]=A[i]*A[j]; C[j*n+i]=C[i*n+j]; } }
