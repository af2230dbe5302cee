/* --all args: */
/* The compiler reads constant pointers as what they point to, of which the device has nothing by that name. Those of which
   it knows nothing are pointers like others. */
#include <stdio.h>
#define N 24
static int x[N], bound = N;
static double y[N];
static int *const first = x;
static const int *const limit = &bound;
typedef int *whole;
static const whole other = x;
#define AT(i) first[i]

static int twice(int a) { return 2 * a; }
static void global(void) {
  for (int i = 0; i < N; i++) first[i] += i;
}
static void beside(void) {
  for (int i = 0; i < N; i++) y[i] += AT(i) * 0.5;
}
static void number(void) {
  for (int i = 0; i < *limit; i++) x[i] += 3;
}
static void by_typedef(void) {
  for (int i = 0; i < N; i++) other[i] ^= i;
}
static void local(void) {
  double *const from = y;
  double *const behind = from + 2;
  for (int i = 0; i < N - 2; i++) behind[i] += i;
}
static void inside(void) {
  for (int i = 0; i < N; i++) {
    int *const p = x;
    p[i] -= 1;
  }
}
static void called(void) {
  int (*const f)(int) = twice;
  for (int i = 0; i < N; i++) x[i] += f(i);
}
static void own_name(void) {
  for (int i = 0; i < N; i++) x[i] += twice(i);
}
static void parameter(int *const p, int n) {
  for (int i = 0; i < n; i++) p[i] += 1;
}
static void of_local(int k) {
  int t[N];
  int *const p = t;
  for (int i = 0; i < N; i++) p[i] = i * k;
  for (int i = 0; i < N; i++) x[i] += t[i];
}
int main(void) {
  global();
  beside();
  number();
  by_typedef();
  local();
  inside();
  called();
  own_name();
  parameter(x, N);
  of_local(3);
  for (int i = 0; i < N; i++) printf("%d %g\n", x[i], y[i]);
}
