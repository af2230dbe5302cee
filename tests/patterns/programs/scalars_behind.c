/* --all args: */
/* Scalars that loops read through pointers to them have to be on the device; by their own names they need not. */
#include <stdio.h>
#define N 30
static int x[N], step = 4;
static const int fixed = 6;
static double rate = 1.5;

static void local(int n) {
  int k = 5, *p = &k;
  for (int i = 0; i < n; i++) x[i] += *p;
}
static void both_names(int n, int k) {
  int *p = &k;
  for (int i = 0; i < n; i++) x[i] += *p * k;
}
static void global(int n) {
  int *p = &step;
  double *q = &rate;
  for (int i = 0; i < n; i++) x[i] += p[0] + (int)(*q * i);
}
static void constant(int n) {
  const int *p = &fixed;
  for (int i = 0; i < n; i++) x[i] -= *p;
}
static void in_turn(int n) {
  int k = 1, *p = &k;
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < n; i++) x[i] += *p;
    k += x[t] % 3;
  }
  printf("%d\n", k);
}
static void sum(int n) {
  int k = 2, s = 0, *p = &k;
  for (int i = 0; i < n; i++) s += x[i] * *p;
  printf("%d\n", s);
}
int main(void) {
  local(N);
  both_names(N, 3);
  global(N);
  constant(N);
  in_turn(N);
  sum(N);
  for (int i = 0; i < N; i++) printf("%d ", x[i]);
}
