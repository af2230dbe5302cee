/* pure static helper. */
static float h38(float v){ return v*v+1; } void p38(int n,float*a,float*b){ for(int i=0;i<n;i++) b[i]=h38(a[i]); }
