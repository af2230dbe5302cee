/* bound/index loaded through pointer. */
void p31(int*n,int*a){ for(int i=0;i<*n;i++) a[i]=0; }
