/* ping-pong. */
void p49(int T,int n,float*a,float*b){
  for(int t=0;t<T;t++){ for(int i=1;i<n-1;i++) b[i]=a[i-1]+a[i+1]; float*s=a;a=b;b=s; } }
