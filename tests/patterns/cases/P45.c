/* array of structs. */
struct S45{float x,y;}; void p45(int n,struct S45*p,float*d){ for(int i=0;i<n;i++) d[i]=p[i].x; }
