/* impure callee (static state, rand). */
int rand(void); void p39(int n,int*a){ for(int i=0;i<n;i++) a[i]=rand(); }
