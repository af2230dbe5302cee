/* --all args: */
/* Functions of the program that are called like those of compilers or of the library, and do something else. */
#include <stdio.h>
#define N 300
static int b[N];

static int maxnum(int x, int y) { return (x + 2 * y) % 1009; }
static int minnum(int x, int y) { return x ^ y; }
static int smax(int x, int y) { return (3 * x + y) % 1013; }

static int most(int n) {
  int m = 1;
  for (int i = 0; i < n; i++) m = maxnum(m, b[i]);
  return m;
}
static int least(int n) {
  int m = 1;
  for (int i = 0; i < n; i++) m = minnum(b[i], m);
  return m;
}
static int signed_most(int n) {
  int m = 1;
  for (int i = 0; i < n; i++) m = smax(m, b[i]);
  return m;
}
int main(void) {
  for (int i = 0; i < N; i++) b[i] = i * 5 % 19 - 6;
  printf("%d %d %d\n", most(N), least(N), signed_most(N));
}
