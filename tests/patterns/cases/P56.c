/* type punning through char*. */
void p56(int n,float*a){ char*c=(char*)a; for(int i=0;i<n;i++) c[i]=c[i+4]; }
