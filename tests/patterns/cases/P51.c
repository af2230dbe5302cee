/* local array inside the loop. */
void p51(int n,float*a,float*b){ for(int i=0;i<n;i++){ float w[4]; for(int k=0;k<4;k++) w[k]=a[4*i+k]; b[i]=w[0]+w[3]; } }
