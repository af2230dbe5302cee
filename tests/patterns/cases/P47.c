/* global array vs pointer param. */
float B47[1000]; void p47(int n,float*p){ for(int i=0;i<n;i++) p[i]=B47[i]; }
