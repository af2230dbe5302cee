/* lavaMD shape: sections start at loaded offset. */
void p58(int L,int w,int*off,float*v,float*f){ for(int l=0;l<L;l++){ float*r=&v[off[l]]; float*g=&f[off[l]]; for(int i=0;i<w;i++) g[i]+=r[i]; } }
