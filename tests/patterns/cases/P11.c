/* last value used. */
float p11(int n,float*a,float*b){ float t=7; for(int i=0;i<n;i++){ t=a[i]; b[i]=t; } return t; }
