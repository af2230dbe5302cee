/* Variables that an array might overlap. */
struct s { int n; int v[4]; int *a; struct s *next; };
void f(struct s *s) { for (int i = 0; i < s->n; i++) s->v[i] = 0; }
void g(struct s *s) { for (int i = 0; i < s->n; i++) { s->a[i] = 0; s->n = 3; } }
void h(struct s *s, struct s *t) { for (int i = 0; i < s->n; i++) { t->n = i; } }
void k(struct s *s, int *b) { for (int i = 0; i < s->n; i++) { s->a[i] = b[i]; s = s->next; } }
void m(struct s *s, int *b) { for (int i = 0; i < s->n; i++) s->next->a[i] = b[i]; }
void o(struct s *s, int m) { for (int i = 0; i < m; i++) for (int j = 0; j < s->n; j++) s->a[i * s->n + j] = 0; }
void p(struct s *s, int **b) { for (int i = 0; i < s->n; i++) *b = s->a; }
int N; void q(int *a) { for (int i = 0; i < N; i++) { a[i] = N; if (a[i] == 7) N = 8; } }
void set(void); void r(int *a) { for (int i = 0; i < N; i++) { a[i] = N; set(); } }
int *G; void t(int n) { for (int i = 0; i < n; i++) G[i] = i; }
int **H; void u(int n) { for (int i = 0; i < n; i++) H[0][i] = i; }
struct s L; void v(void) { for (int i = 0; i < L.n; i++) L.a[i] = i; }
void w(int n) { struct s l; int *p = n ? &l.n : l.v; l.n = n; l.a = p; for (int i = 0; i < l.n; i++) p[i] = i; }
