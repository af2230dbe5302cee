/* countable while. */
void p32(int n,float*a){ int i=0; while(i<n){ a[i]=0; i++; } }
