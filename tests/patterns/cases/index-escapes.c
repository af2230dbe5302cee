/* The index is modified through a pointer. */
void g(int *);
void f(int n, int *a) { int i; int *p = &i; for (i = 0; i < n; i++) { a[i] = 0; if (a[0]) *p = 3; } }
void h(int n, int *a) { int i; for (i = 0; i < n; i++) { a[i] = 0; g(&i); } }
void k(int n, int *a) { for (int i = 0; i < n; i++) { a[i] = 0; i++; } }
static int I; void m(int n, int *a) { for (I = 0; I < n; I++) a[I] = 0; }
