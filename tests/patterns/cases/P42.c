/* static 2-D array. */
float A42[100][200]; void p42(int n,int m){ for(int i=0;i<n;i++) for(int j=0;j<m;j++) A42[i][j]=1; }
