/* unknown extern / function pointer. */
void p40(int n,float*a,float(*f)(float)){ for(int i=0;i<n;i++) a[i]=f(a[i]); }
