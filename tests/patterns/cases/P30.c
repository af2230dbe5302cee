/* global bound changed in loop. */
int G30; void p30(float*a){ for(int i=0;i<G30;i++){ a[i]=0; if(i==3) G30--; } }
