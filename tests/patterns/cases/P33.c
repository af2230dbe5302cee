/* break. */
int p33(int n,float*a){ int i; for(i=0;i<n;i++) if(a[i]<0) break; return i; }
