/* --all args: */
/* Members behind two pointers, and several members of a struct within another one, are not mapped by one construct; one
   pointer, or a copy of the first one, is followed. */
#include <stdio.h>
#include <stdlib.h>
#define N 12
struct part { int n; double *cell; int more; struct part *next; };
struct whole { int scale; double *sum; struct part own; struct part *part; };
static struct whole all;

static void through(struct whole *w) {
  for (int i = 0; i < w->part->n; i++) w->part->cell[i] += i;
}
static void from_both(struct whole *w) {
  for (int i = 0; i < w->part->n; i++) w->sum[i] += w->part->cell[i] * w->scale;
}
static void of_global(void) {
  for (int i = 0; i < all.part->n; i++) all.part->cell[i] *= 2;
}
static void by_value(struct whole w) {
  for (int i = 0; i < w.part->n; i++) w.part->cell[i] -= 1;
}
static void three(struct whole *w, double *x) {
  for (int i = 0; i < N; i++) x[i] += w->part->next->n;
}
static void within(struct whole *w) {
  for (int i = 0; i < w->own.n; i++) w->own.cell[i] += w->scale;
}
static void only_numbers(struct whole *w, double *x) {
  for (int i = 0; i < w->part->n; i++) x[i] += w->scale;
}
static void copied(struct whole *w) {
  struct part *p = w->part;
  double *cell = p->cell;
  int n = p->n;
  for (int i = 0; i < n; i++) cell[i] += 0.5;
}
static void beside(struct whole *w) {
  for (int i = 0; i < w->scale; i++) w->own.cell[i] -= 4;
}
static void numbers_within(struct whole w) {
  for (int i = 0; i < w.scale; i++) w.sum[i] += w.own.n * w.own.more;
}
int main(void) {
  struct part last = { 5, calloc(N, 8), 2, 0 }, part = { 9, calloc(N, 8), 3, &last };
  double *x = calloc(N, 8);
  all = (struct whole){ 3, calloc(N, 8), { 10, calloc(N, 8), 4, 0 }, &part };
  through(&all);
  from_both(&all);
  of_global();
  by_value(all);
  three(&all, x);
  within(&all);
  only_numbers(&all, x);
  copied(&all);
  beside(&all);
  numbers_within(all);
  for (int i = 0; i < N; i++) printf("%g %g %g %g %g\n", part.cell[i], last.cell[i], all.sum[i], all.own.cell[i], x[i]);
}
