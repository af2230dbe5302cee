/* volatile. */
void p48(int n,volatile int*a){ for(int i=0;i<n;i++) a[i]=i; }
