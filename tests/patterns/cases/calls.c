/* Calls. */
static int count; static int *kept;
static int bump(int x) { count++; return x; }
static int counter(void) { static int c; return ++c; }
static int peek(int *a, int i) { return a[i]; }
static void poke(int *a, int i) { a[i] = i; }
static int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
static int twice(int x) { return 2 * x; }
static int four(int x) { return twice(twice(x)); }
static int look(int x) { return x + count; }
void exit(int); void *malloc(unsigned long); double sin(double); float sqrtf(float); int abs(int);
void f1(int n, int *a) { for (int i = 0; i < n; i++) a[i] = bump(i); }
void f2(int n, int *a) { for (int i = 0; i < n; i++) a[i] = counter(); }
void f3(int n, int *a, int *b) { for (int i = 0; i < n; i++) a[i] = peek(b, i); }
void f4(int n, int *a) { for (int i = 0; i < n; i++) poke(a, i); }
void f5(int n, int *a) { for (int i = 0; i < n; i++) a[i] = fact(i); }
void f6(int n, int *a) { for (int i = 0; i < n; i++) a[i] = four(i); }
void f7(int n, int *a) { for (int i = 0; i < n; i++) a[i] = look(i); }
void f8(int n, int *a) { for (int i = 0; i < n; i++) { if (a[i] < 0) exit(1); a[i] = 0; } }
void f9(int n, int **a) { for (int i = 0; i < n; i++) a[i] = malloc(4); }
void f10(int n, double *a, float *b, int *c) { for (int i = 0; i < n; i++) { a[i] = sin(a[i]); b[i] = sqrtf(b[i]); c[i] = abs(c[i]); } }
void *memset(void *, int, unsigned long);
void f11(int n, int m, int *a) { for (int i = 0; i < n; i++) memset(a + i * m, 0, m * sizeof(int)); }
void f12(int n, int *a) { for (int i = 0; i < n; i++) memset(a + i, 0, 8); }
void f13(int n, int *a) { for (int i = 0; i < bump(n); i++) a[i] = 0; }
