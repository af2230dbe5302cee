/* math call. */
double sqrt(double); void p37(int n,double*a,double*b){ for(int i=0;i<n;i++) b[i]=sqrt(a[i]); }
