/* histogram. */
void p13(int n,int*b,int*h){ for(int i=0;i<n;i++) h[b[i]]++; }
