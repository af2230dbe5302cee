/* --all args: */
/* Quotients that the program does not form everywhere: what is computed for a kernel must not divide by zero before it. */
#include <stdio.h>
#define N 512
static int a[N], b[N], c[N];

/* The test for both arrays stands in the loop that may not run. */
static void apart(int *x, int *y, int n, int d, int m) {
  for (int k = 0; k < m; k++)
    for (int i = 0; i < n / d; i++) x[i] += y[i + k];
}
/* What is mapped is not said by a quotient. */
static void asked(int *x, int *y, int n, int d) {
  for (int i = 0; i < n; i++) {
    x[i] += 1;
    if (d > 0)
      for (int j = 0; j < n / d; j++) x[i] += y[j];
  }
}
static void rest(int *x, int *y, int n, int d) {
  for (int i = 0; i < n; i++) {
    x[i] += 1;
    if (d > 0)
      for (int j = 0; j < n % d; j++) x[i] += y[j];
  }
}
/* The loop itself divides before anything else. */
static void bound(int *x, int n, int d) {
  for (int i = 0; i < n / d; i++) x[i] *= 2;
}
int main(void) {
  for (int i = 0; i < N; i++) {
    a[i] = i * 7 % 23;
    b[i] = i * 5 % 19 - 6;
    c[i] = i * 3 % 31;
  }
  apart(a, b, 40, 0, 0), apart(a, b, 40, 2, 3), apart(a, a + 5, 40, 2, 3);
  asked(a, b, 30, 0), asked(a, b, 30, 2);
  rest(c, b, 30, 0), rest(c, b, 30, 7);
  bound(c, 40, 2);
  for (int i = 0; i < N; i++) printf("%d %d %d ", a[i], b[i], c[i]);
  printf("\n");
}
