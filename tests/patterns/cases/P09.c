/* argmax. */
int p09(int n,float*a){ int k=0; for(int i=1;i<n;i++) if(a[i]>a[k]) k=i; return k; }
