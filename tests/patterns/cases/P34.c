/* continue. */
void p34(int n,float*a,float*b){ for(int i=0;i<n;i++){ if(a[i]<0) continue; b[i]=a[i]; } }
