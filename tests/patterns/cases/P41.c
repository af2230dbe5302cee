/* pointer increment. */
float*p41(int n,float*p){ for(int i=0;i<n;i++) *p++=0; return p; }
