/* --all args: */
/* Inner loops that set their index on one way only start where it was on the other. */
#include <stdio.h>
#define N 10
static int x[12 * N], on[N];

static void asked(int n) {
  for (int i = 0; i < n; i++) {
    int j = -3;
    for (on[i] && (j = 0); j < 4; j++) x[i * 4 + 8 + j] = x[i * 4 + 8 + j] * 2 % 1000 + i;
  }
}
static void either(int n, int k) {
  for (int i = 0; i < n; i++) {
    int j = -2;
    for (k > i || (j = 1); j < 4; j++) x[i * 4 + 8 + j] = x[i * 4 + 8 + j] * 3 % 1000 + i;
  }
}
static void chosen(int n, int k) {
  for (int i = 0; i < n; i++) {
    int j = 2;
    for (k ? (void)(j = -1) : (void)0; j < 4; j++) x[i * 4 + 8 + j] = x[i * 4 + 8 + j] * 5 % 1000 + i;
  }
}
static void always(int n, int k) {
  for (int i = 0; i < n; i++)
    for (int j = k ? 1 : 0; j < 4; j++) x[i * 4 + 8 + j] += j;
}
int main(void) {
  for (int i = 0; i < 12 * N; i++) x[i] = i;
  for (int i = 0; i < N; i++) on[i] = i % 2;
  asked(N);
  either(N, 4);
  chosen(N, 0);
  chosen(N, 1);
  always(N, 0);
  always(N, 1);
  for (int i = 0; i < 12 * N; i++) printf("%d ", x[i]);
}
