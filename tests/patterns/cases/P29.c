/* min/max bound. */
void p29(int lo,int n,int m,float*a){ for(int i=lo;i<(n<m?n:m);i++) a[i]=0; }
