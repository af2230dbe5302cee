/* conditional last value. */
int p12(int n,float*a){ int last=-1; for(int i=0;i<n;i++) if(a[i]>0) last=i; return last; }
