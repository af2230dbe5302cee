/* Jacobi out of place. */
void p06(int n,float*a,float*b){ for(int i=1;i<n-1;i++) b[i]=(a[i-1]+a[i]+a[i+1])/3; }
