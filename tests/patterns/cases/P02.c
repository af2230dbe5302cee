/* constant offset (paper Fig.5). */
void p02(int n,float a,int*x,float*y){
  for(int i=3;i<n;i++) y[i-3]=a*x[i]+y[i-3]; }
