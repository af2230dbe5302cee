/* --all --reassociate args: 60 3, 61 0, 0 2, -3 1, 60 3, 61 0, 200 9, 60 3, 61 60 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
/* Those of the sixty patterns (tests/patterns/cases) that a person would offload, with arrays that are apart, the same, and
 * overlap in part. */
void p01(int n,float a,float*x,float*y){
  for(int i=0;i<n;i++) y[i]=a*x[i]+y[i]; }
void p02(int n,float a,int*x,float*y){
  for(int i=3;i<n;i++) y[i-3]=a*x[i]+y[i-3]; }
void p05(int n,int k,float*a){ for(int i=0;i<n;i++) a[i]=a[i+k]+1; }
void p06(int n,float*a,float*b){ for(int i=1;i<n-1;i++) b[i]=(a[i-1]+a[i]+a[i+1])/3; }
double p07(int n,double*a){ double s=0; for(int i=0;i<n;i++) s+=a[i]; return s; }
float p08(int n,float*a){ float m=a[0]; for(int i=1;i<n;i++) if(a[i]>m) m=a[i]; return m; }
void p10(int n,float*a,float*b){ float t; for(int i=0;i<n;i++){ t=a[i]*2; b[i]=t*t; } }
float p11(int n,float*a,float*b){ float t=7; for(int i=0;i<n;i++){ t=a[i]; b[i]=t; } return t; }
void p14(int n,int*idx,float*y){ float x[64]; for(int i=0;i<64;i++) x[i]=i*3; for(int i=0;i<n;i++) y[i]=x[idx[i]]; }
void p18(int n,int m,int k,float*A,float*B,float*C){
  for(int i=0;i<n;i++) for(int j=0;j<m;j++) for(int l=0;l<k;l++) C[i*m+j]+=A[i*k+l]*B[l*m+j]; }
void p19(int n,int m,float*A,float*x,float*y){
  for(int i=0;i<n;i++) for(int j=0;j<m;j++) y[j]+=A[i*m+j]*x[i]; }
void p20(int n,float*A){ for(int i=0;i<n;i++) for(int j=i;j<n;j++) A[i*n+j]=0; }
void p21(int n,float*A,float*C){
  for(int i=0;i<n;i++) for(int j=i+1;j<n;j++){ C[i*n+j]=A[i]*A[j]; C[j*n+i]=C[i*n+j]; } }
void p22(int n,int m,int s,float*C){ for(int i=0;i<n;i++) for(int j=0;j<m;j++) C[i*s+j]+=1; }
void p23(int n,float*a){ for(int i=0;i<n;i+=2) a[i]=0; }
void p24(int n,float*a){ for(int i=n-1;i>=0;i--) a[i]=i; }
void p27(int n,int m,float*a){ for(int i=0;i<n;i++) for(int j=0;j<m;j++) a[i*m+j]=1; }
void p28(int n,float*a){ for(int i=0;i<=n;i++) a[i]=0; }
void p29(int lo,int n,int m,float*a){ for(int i=lo;i<(n<m?n:m);i++) a[i]=0; }
void p31(int*n,int*a){ for(int i=0;i<*n;i++) a[i]=0; }
void p34(int n,float*a,float*b){ for(int i=0;i<n;i++){ if(a[i]<0) continue; b[i]=a[i]; } }
void p37(int n,double*a,double*b){ for(int i=0;i<n;i++) b[i]=sqrt(a[i]); }
static float h38(float v){ return v*v+1; }
void p38(int n,float*a,float*b){ for(int i=0;i<n;i++) b[i]=h38(a[i]); }
float A42[100][200]; void p42(int n,int m){ for(int i=0;i<n;i++) for(int j=0;j<m;j++) A42[i][j]=1; }
void p43(int n,int m,double A[n][m]){ for(int i=0;i<n;i++) for(int j=0;j<m;j++) A[i][j]=0; }
struct S45{float x,y;}; void p45(int n,struct S45*p,float*d){ for(int i=0;i<n;i++) d[i]=p[i].x; }
struct S46{int n;float*a;}; void p46(struct S46*s){ for(int i=0;i<s->n;i++) s->a[i]+=1; }
float B47[1000]; void p47(int n,float*p){ for(int i=0;i<n;i++) p[i]=B47[i]; }
void p49(int T,int n,float*a,float*b){
  for(int t=0;t<T;t++){ for(int i=1;i<n-1;i++) b[i]=a[i-1]+a[i+1]; float*s=a;a=b;b=s; } }
float p50(int T,int n,float*a){ float r=0; for(int t=0;t<T;t++){ for(int i=0;i<n;i++) a[i]+=1; r+=a[0]; } return r; }
void p51(int n,float*a,float*b){ for(int i=0;i<n;i++){ float w[4]; for(int k=0;k<4;k++) w[k]=a[4*i+k]; b[i]=w[0]+w[3]; } }
void p52(int n,float*a,float*b){ float w[4]; for(int i=0;i<n;i++){ for(int k=0;k<4;k++) w[k]=a[4*i+k]; b[i]=w[0]+w[3]; } }
void p53(int n,float*a,float*b){ for(int i=0;i<n;i++) b[i]=(i>0 && a[i-1]>0)?1:0; }
void p54(int n,int*c,float*y){ for(int i=0;i<n;i++) if(c[i]) y[i]=1; }
void p55(int T,int n,float*a,float*b){ for(int t=1;t<T;t++) for(int i=t;i<n-t;i++) a[i]+=b[i-t]; }
void p57(int n,float*a,float*b){ for(int i=0;i<n;i++) a[i*i]=b[i]; }
#define FILL60(a,n) for(int i=0;i<(n);i++) (a)[i]=0
void p60(int n,float*a){ FILL60(a,n); for(int i=0;i<n;i++) a[i]++; for(int i=0;i<n;i++) a[i]*=2; }

enum { SIZE = 80000 };
static float *a, *b, *c, *m;
static int *ints;
static void fresh(void)
{
    for (int i = 0; i < SIZE; i++) {
        a[i] = i * 7 % 31;
        b[i] = i * 5 % 29;
        c[i] = i * 3 % 23 - 7;
        ints[i] = i * 11 % 19 % 7;
        if (i % 1000 == 999)
            a[i] += a[i - 1] * 0;
    }
}
static void show(const char *name)
{
    double s[4] = {0};
    for (int i = 0; i < SIZE; i++) {
        s[0] += a[i] * (i % 97 + 1);
        s[1] += b[i] * (i % 89 + 1);
        s[2] += c[i] * (i % 83 + 1);
        s[3] += ints[i] * (i % 79 + 1.0);
    }
    printf("%s %.17g %.17g %.17g %.17g\n", name, s[0], s[1], s[2], s[3]);
    fresh();
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), k = atoi(argv[2]), most = n > 0 ? n : 0;
    a = malloc(SIZE * sizeof *a);
    b = malloc(SIZE * sizeof *b);
    c = malloc(SIZE * sizeof *c);
    ints = malloc(SIZE * sizeof *ints);
    double *wide = malloc(SIZE * sizeof *wide), *other = malloc(SIZE * sizeof *other);
    struct S45 *pairs = malloc(1000 * sizeof *pairs);
    if (!a || !b || !c || !ints || !wide || !other || !pairs)
        return 1;
    fresh();
    m = a + 40000;
    p01(n, 3, a, b), p01(n, 3, m, m + k), p01(n, 2, c, c), show("p01");
    p02(n, 3, ints, b), p02(n, 3, (int *)(void *)c, a), show("p02");
    p05(n, k, m), p05(n, 0, a), p05(n, 100, b), show("p05");
    p06(n, a, b), p06(n, m, m + k), show("p06");
    for (int i = 0; i < SIZE; i++) wide[i] = i % 13, other[i] = 1;
    printf("p07 %g\n", p07(n, wide));
    printf("p08 %g\n", p08(n, c));
    p10(n, a, b), p10(n, m, m + k), show("p10");
    printf("p11 %g %g\n", p11(n, a, b), p11(n, m, m + k)), show("p11");
    p14(n, ints, b), show("p14");
    p18(n / 4, 5, 7, a, b, c), p18(n / 4, 5, 7, m, b, m + k), show("p18");
    p19(n, 6, a, b, c), p19(n, 6, m, b, m + k), show("p19");
    p20(most, m), show("p20");
    p21(most, b, c), p21(most, m + 2, m), show("p21");
    p22(n, k, 9, m), p22(n, 9, k, a), show("p22");
    p23(n, a), show("p23");
    p24(n, a), show("p24");
    p27(n, k, a), show("p27");
    p28(n, a), show("p28");
    p29(2, n, 50, a), p29(0, 9, n, m), show("p29");
    ints[5] = n, ints[40] = n;
    p31(ints + 5, ints + 6 + most), ints[40] = n, p31(ints + 40, ints + 20), show("p31");
    p34(n, c, b), p34(n, m, m + k), show("p34");
    p37(n, wide, other), p37(n, wide + 100, wide + 100 + k), printf("p37 %.17g %.17g %.17g\n", other[7], other[59], wide[140]);
    p38(n, a, b), p38(n, m, m + k), show("p38");
    p42(n < 100 ? n : 100, k > 0 ? 190 + k : 3), printf("p42 %g\n", A42[1][2] + A42[7][188]), show("p42");
    p43(most, 7, (double (*)[7])(void *)wide), printf("p43 %g\n", p07(most, wide)), show("p43");
    for (int i = 0; i < 1000; i++) pairs[i].x = i, pairs[i].y = -i;
    p45(n, pairs, b), p45(n, pairs, &pairs[0].x + k + 4), printf("p45 %g\n", pairs[30].x + pairs[31].y), show("p45");
    struct S46 s46 = {n, m};
    p46(&s46), show("p46");
    for (int i = 0; i < 1000; i++) B47[i] = i;
    p47(n, b), p47(n, B47 + 4 + k), printf("p47 %g\n", B47[50] + B47[60]), show("p47");
    p49(4, n, a, b), p49(5, n, m, m + k), show("p49");
    printf("p50 %g %g\n", p50(3, n, a), p50(k, n, m)), show("p50");
    p51(n, a, b), p51(n, m, m + k), show("p51");
    p52(n, a, b), p52(n, m, m + k), show("p52");
    p53(n, c, b), p53(n, m, m + k), show("p53");
    p54(n, ints, b), show("p54");
    p55(4, n, a, b), p55(k, n, m, m + k), show("p55");
    p57(n, a, b), p57(n, m, m + k), show("p57");
    p60(n, a), show("p60");
    free(a), free(b), free(c), free(ints), free(wide), free(other), free(pairs);
    return 0;
}
