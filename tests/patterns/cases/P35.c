/* return in loop. */
int p35(int n,int*a){ for(int i=0;i<n;i++) if(a[i]==7) return i; return -1; }
