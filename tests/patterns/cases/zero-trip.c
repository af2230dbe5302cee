/* The value before the loop is the one after it, if the loop does not run. */
int f(int n, int *a) { int t = 3; for (int i = 0; i < n; i++) t = a[i]; return t; }
int g(int n, int *a) { int t = 3; for (int i = 0; i < 10; i++) t = a[i]; return t; }
int h(int n, int *a) { int t; for (int i = 0; i < n; i++) { t = a[i]; a[i] = t + 1; } t = 2; return t; }
int k(int n, int *a) { int i; for (i = 0; i < n; i++) a[i] = 0; return i; }
