/* --all args: */
/* What runs when the program has ended: the OpenMP runtime is gone by then. */
#include <stdio.h>
#define N 64
static int a[N], b[N];

static void more(int by) {
  for (int i = 0; i < N; i++) a[i] += by;
}
static void __attribute__((destructor)) last(void) {
  for (int i = 0; i < N; i++) a[i] += 5 + b[i];
  more(3);
  for (int i = 0; i < N; i++) printf("%d %d\n", a[i], b[i]);
}
static void listed(void) {
  for (int i = 0; i < N; i++) b[i] += 7;
}
__attribute__((section(".fini_array"), used)) static void (*ends)(void) = listed;

int main(void) {
  for (int i = 0; i < N; i++) b[i] += a[i] + i;
}
