/* scratch array outside. */
void p52(int n,float*a,float*b){ float w[4]; for(int i=0;i<n;i++){ for(int k=0;k<4;k++) w[k]=a[4*i+k]; b[i]=w[0]+w[3]; } }
