/* unsigned count-down by wraparound. */
void p25(unsigned n,float*a){ for(unsigned i=n-1;i<n;i--) a[i]=0; }
