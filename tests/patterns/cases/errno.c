/* A program that looks at errno. */
int *__errno_location(void);
double sqrt(double); double fabs(double);
int f(int n, double *a) { for (int i = 0; i < n; i++) a[i] = sqrt(a[i]); return *__errno_location(); }
void g(int n, double *a) { for (int i = 0; i < n; i++) a[i] = fabs(a[i]); }
