/* narrow induction variable. */
void p26(int n,float*a){ for(unsigned char i=0;i<n;i++) a[i]=0; }
