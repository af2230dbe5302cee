/* --all args: */
#include <stdio.h>
#include <stdlib.h>
struct S46{int n; double f; float*a; float *b;}; 
void p46(struct S46*s){ for(int i=0;i<s->n;i++) s->a[i]+=s->f; }
void two(struct S46*s){ for(int i=0;i<s->n;i++) s->a[i]+=s->b[i]; }
void plain(const struct S46 *s,float*restrict x){ for(int i=0;i<100;i++) x[i]+=s->f; }
static struct S46 g;
static void glob(void){ for(int i=0;i<g.n;i++) g.a[i]=g.b[i]*g.f; }
int main(void){ 
 struct S46 s; s.n=1000; s.f=2; s.a=malloc(4000); s.b=malloc(4000);
 for(int i=0;i<s.n;i++) s.b[i]=i;
 for(int i=0;i<s.n;i++) s.a[i]=i;
 g=s;
 p46(&s); two(&s); plain(&s,s.a); glob(); 
 float t=0; for(int i=0;i<1000;i++) printf("%g\n",s.a[i]);
}
