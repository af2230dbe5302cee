/* Columns and rows. */
void f(int n, int m, int *a) { for (int j = 0; j < m; j++) for (int i = 0; i < n; i++) a[i * m + j] = 0; }
void g(int n, int m, int s, int *a) { for (int j = 0; j < m; j++) for (int i = 0; i < n; i++) a[i * s + j] = 0; }
void h(int n, int *a) { for (int i = 1; i < n; i++) for (int j = 0; j < n; j++) a[i * n + j] = a[(i - 1) * n + j]; }
void k(int n, int *a) { for (int i = 0; i < n; i++) for (int j = 1; j < n; j++) a[i * n + j] = a[i * n + j - 1]; }
void m(int n, int *a) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i * n + j] = a[j * n + i]; }
void o(int n, int *a) { for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) a[i * n + j] = a[j * n + i]; }
void p(int x, int y, int z, int *a) { for (int i = 0; i < x; i++) for (int j = 0; j < y; j++) for (int k = 0; k < z; k++) a[(i * y + j) * z + k] = 0; }
void q(int x, int y, int z, int s, int t, int *a) { for (int i = 0; i < x; i++) for (int j = 0; j < y; j++) for (int k = 0; k < z; k++) a[i * s + j * t + k] = 0; }
double A[10][20]; void r(int n, int m) { for (int i = 1; i < n; i++) for (int j = 1; j < m; j++) A[i][j] = A[i - 1][j - 1]; }
void s(int n, int m) { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) A[0][i * 20 + j] = 0; }
void t(int n, int m) { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) A[j][i] = 0; }
void u(int n, int a[][64]) { for (int i = 0; i < n; i++) for (int j = 0; j < 64; j++) a[i][j] = 0; }
void v(int n, int m, int *a) { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i + j] = 0; }
void w(int n, int *a) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i * n - j] = 0; }
