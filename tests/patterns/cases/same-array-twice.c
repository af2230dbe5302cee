/* What is one object, under two names that points-to knows to be one. */
static int A[100];
void f(int n) { int *p = A; int *q = &A[1]; for (int i = 0; i < n; i++) p[i] = q[i]; }
int B[10][10]; void g(void) { int *p = &B[0][0]; for (int i = 0; i < 10; i++) p[i] = B[i][0]; }
void h(int n, int k) { int *p = k ? A : A + 50; for (int i = 0; i < 50; i++) A[i] = p[i]; }
