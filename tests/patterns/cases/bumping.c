/* Pointers that move. */
void f(int n, int *p) { for (int i = 0; i < n; i++) *p++ = i; }
void g(int n, int *p, int *q) { for (int i = 0; i < n; i++) { *p = q[i]; p += 2; } }
void h(int n, int *p) { for (int *q = p; q < p + n; q++) *q = 0; }
void k(int n, int *p) { int j = 0; for (int i = 0; i < n; i++) { p[j] = 0; j += 2; } }
struct node { struct node *next; int v; };
void m(struct node *l) { for (struct node *p = l; p; p = p->next) p->v = 0; }
void o(int n, int **rows, int *a) { for (int i = 0; i < n; i++) { int *r = rows[i]; a[i] = r[0]; } }
