/* --all args: */
/* Loops that start from a scalar which they set: a copy that each iteration has is not what the loop starts from. */
#include <stdio.h>
#define N 64
static int a[N], b[N];

static int last(int n, int t) {
  for (int i = t; i < n; i++) {
    t = b[i];
    a[i] += t;
  }
  return t;
}
static void own(int n, int t) {
  for (int i = t + 1; i < n; i++) {
    t = b[i];
    a[i] += t * t;
  }
}
static int sum(int n, int s) {
  for (int i = s; i < n; i++) {
    s += b[i];
    a[i]++;
  }
  return s;
}
static int most(int n, int s) {
  for (int i = s + 1; i < n; i++)
    if (b[i] > s) s = b[i];
  return s;
}
static int down(int n, int s) {
  for (int i = n; i >= s; i--) s ^= b[i];
  return s;
}
/* What an inner loop starts from is set anew for each. */
static void inner(int n, int s) {
  int j;
  for (int i = 0; i < n; i++)
    for (j = i; j < s; j++) a[i] += b[j];
}
int main(void) {
  for (int i = 0; i < N; i++) b[i] = (i * 37) % 19 - 3;
  printf("%d %d %d\n", last(20, 3), last(20, 25), last(20, 0));
  own(20, 3), own(20, 25), own(20, 0);
  printf("%d %d %d\n", sum(20, 3), sum(20, 25), sum(20, 0));
  printf("%d %d %d\n", most(20, 3), most(20, 25), most(20, 0));
  printf("%d %d\n", down(20, 3), down(20, 25));
  inner(20, 30);
  for (int i = 0; i < N; i++) printf("%d ", a[i]);
  printf("\n");
}
