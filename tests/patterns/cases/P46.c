/* pointer in struct. */
struct S46{int n;float*a;}; void p46(struct S46*s){ for(int i=0;i<s->n;i++) s->a[i]+=1; }
