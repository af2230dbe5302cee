/* --all args: */
/* Macros that expand to something else each time: a loop with them is not written twice. */
#include <stdio.h>
#define N 80
#define COUNT __COUNTER__
#define NEXT (COUNT + 1)
#define FIRST 3
static int a[N], b[N];

static void counted(int *x, int *n) {
  for (int i = 0; i < *n; i++) x[i] = COUNT;
}
static void further(int *x, int *n) {
  for (int i = 0; i < *n; i++) x[i] = NEXT;
}
static void constant(int *x, int *n) {
  for (int i = 0; i < *n; i++) x[i] = FIRST;
}
int main(void) {
  a[70] = 30;
  counted(a, a + 70);
  counted(b, a + 70);
  further(a, a + 10);
  further(b + 20, a + 70);
  constant(b + 40, a + 70);
  constant(a, a + 5);
  printf("%d\n", COUNT);
  for (int i = 0; i < N; i++) printf("%d %d\n", a[i], b[i]);
}
