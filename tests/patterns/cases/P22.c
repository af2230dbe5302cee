/* row length != stride. */
void p22(int n,int m,int s,float*C){ for(int i=0;i<n;i++) for(int j=0;j<m;j++) C[i*s+j]+=1; }
