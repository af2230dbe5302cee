/* --all args: */
/* Loops that look for a greatest or least value and do something else by the same comparison: none of them is a reduction.
   Those of the last function do nothing else, and are. */
#include <stdio.h>
#define N 48
static int v[N], mark[N];

static int records(int best) {
  for (int i = 0; i < N; i++)
    if (v[i] > best) {
      best = v[i];
      mark[i] += 1;
    }
  return best;
}
static int changes(int best) {
  int n = 0;
  for (int i = 0; i < N; i++)
    if (best < v[i]) {
      best = v[i];
      n++;
    }
  return 100 * n + best;
}
static int misses(int best) {
  int n = 0;
  for (int i = 0; i < N; i++)
    if (v[i] > best)
      best = v[i];
    else
      n++;
  return 100 * n + best;
}
static int between(int least, int most) {
  for (int i = 0; i < N; i++) {
    if (v[i] < least)
      least = v[i];
    else if (v[i] > most)
      most = v[i];
  }
  return 100 * least + most;
}
static int at_least(int best) {
  for (int i = 0; i < N; i++) {
    if (v[i] > best)
      best = v[i];
    else if (best < 30)
      best = 30;
  }
  return best;
}
static int asked_again(int best) {
  int n = 0;
  for (int i = 0; i < N; i++)
    while (v[i] > best) {
      best = v[i];
      n++;
    }
  return 100 * n + best;
}
static int skips(int best) {
  for (int i = 0; i < N; i++) {
    if (v[i] <= best) continue;
    best = v[i];
    mark[i] += 4;
  }
  return best;
}
static int leaps(int best) {
  for (int i = 0; i < N; i++) {
    if (v[i] > best) {
      best = v[i];
      goto next;
    }
    mark[i] += 16;
  next:;
  }
  return best;
}
static int values(int best) {
  int n = 0;
  for (int i = 0; i < N; i++) n += v[i] > best && (best = v[i], 1);
  return 100 * n + best;
}
static void plain(int most, int least) {
  for (int i = 0; i < N; i++)
    if (v[i] > most) most = v[i];
    else ;
  for (int i = 0; i < N; i++) {
    if (v[i] >= least) continue;
    least = v[i];
  }
  printf("%d %d", most, least);
  for (int i = 0; i < N; i++) most = v[i] > most ? v[i] : most;
  for (int i = 0; i < N; i++)
    if (mark[i] && v[i] < least) least = v[i];
  printf(" %d %d\n", most, least);
}
int main(void) {
  for (int i = 0; i < N; i++) v[i] = (i * 29 + 11) % 67 - 9;
  printf("%d %d %d %d\n", records(-50), changes(-50), misses(-50), between(60, -50));
  printf("%d %d %d %d\n", at_least(-50), asked_again(-50), skips(-50), leaps(-50));
  printf("%d\n", values(-50));
  plain(-50, 50);
  for (int i = 0; i < N; i++) printf("%d:%d ", v[i], mark[i]);
}
