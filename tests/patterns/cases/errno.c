/* A program that looks at errno. */
int *__errno_location(void);
double sqrt(double); double fabs(double); double fmod(double, double);
int f(int n, double *a) { for (int i = 0; i < n; i++) a[i] = sqrt(a[i]); return *__errno_location(); }
void g(int n, double *a) { for (int i = 0; i < n; i++) a[i] = fabs(a[i]); }
void h(int n, double *a) { for (int i = 0; i < n; i++) a[i] = fmod(a[i], n - i); }
static double rest(double x) { return fmod(x, 3); }
void k(int n, double *a) { for (int i = 0; i < n; i++) a[i] = rest(a[i]); }
