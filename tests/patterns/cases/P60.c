/* loop inside macro / several per line. */
#define FILL60(a,n) for(int i=0;i<(n);i++) (a)[i]=0
void p60(int n,float*a){ FILL60(a,n); for(int i=0;i<n;i++) a[i]++; for(int i=0;i<n;i++) a[i]*=2; }
