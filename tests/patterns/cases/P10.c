/* scalar temp declared outside. */
void p10(int n,float*a,float*b){ float t; for(int i=0;i<n;i++){ t=a[i]*2; b[i]=t*t; } }
