/* 32-bit product in subscript. */
void p27(int n,int m,float*a){ for(int i=0;i<n;i++) for(int j=0;j<m;j++) a[i*m+j]=1; }
