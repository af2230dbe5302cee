/* --all args: */
/* A signal that the only thread blocks: with kernels there are others, which take it. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
#define N 64
static int a[N], b[N];

static void handler(int s) {
  (void)s;
  a[3] += 10;
  b[5]++;
}
int main(void) {
  struct sigaction action = {.sa_handler = handler};
  sigset_t set;
  sigaction(SIGUSR1, &action, 0);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, 0);
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < N; i++) a[i] += b[i] + k;
    kill(getpid(), SIGUSR1);
    for (int i = 0; i < N; i++) b[i] += a[i] & 3;
  }
  sigprocmask(SIG_UNBLOCK, &set, 0);
  for (int i = 0; i < N; i++) printf("%d %d\n", a[i], b[i]);
}
