/* stride 2. */
void p23(int n,float*a){ for(int i=0;i<n;i+=2) a[i]=0; }
