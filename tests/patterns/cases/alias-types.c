/* Two names of one array, of different types: apart only by a condition. */
void f(int n, int *a, double *b) { for (int i = 0; i < n; i++) a[i] = (int)b[i]; }
/* One array through two types at one base. */
void g(int n, int *a) { short *s = (short *)a; for (int i = 0; i < n; i++) a[i] = s[i]; }
