/* existing OpenMP pragma. */
void p59(int n,float*a){
#pragma omp parallel for
  for(int i=0;i<n;i++) a[i]=0; }
