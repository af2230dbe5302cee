/* linear recurrence. */
void p17(int n,float*x,float*a){ for(int i=1;i<n;i++) x[i]=a[i]*x[i-1]+1; }
