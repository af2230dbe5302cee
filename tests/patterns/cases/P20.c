/* triangular. */
void p20(int n,float*A){ for(int i=0;i<n;i++) for(int j=i;j<n;j++) A[i*n+j]=0; }
