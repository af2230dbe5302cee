/* printf. */
int printf(const char*,...); void p36(int n,float*a){ for(int i=0;i<n;i++){ a[i]=i; printf("%d\n",i); } }
