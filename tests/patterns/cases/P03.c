/* in-place stencil (flow dep). */
void p03(int n,float*a){ for(int i=1;i<n-1;i++) a[i]=a[i-1]+a[i+1]; }
