/* prefix sum. */
void p16(int n,float*a,float*b){ float s=0; for(int i=0;i<n;i++){ s+=a[i]; b[i]=s; } }
