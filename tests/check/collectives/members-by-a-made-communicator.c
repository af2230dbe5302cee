/* expects: nothing */
/* Who is no member of a communicator meets the others in a barrier of its own; members go on, and meet them behind. */
#include <mpi.h>
#include <stdlib.h>
typedef struct {
  MPI_Comm all, part;
  int members;
} settings;
typedef struct test {
  settings settings;
  struct test *next;
} test;
static MPI_Comm part;
static int begin(test *t)
{
  int range[3];
  settings *s = &t->settings;
  MPI_Group everybody, some;
  MPI_Comm_group(s->all, &everybody);
  range[0] = 0;
  range[1] = s->members - 1;
  range[2] = 1;
  MPI_Group_range_incl(everybody, 1, &range, &some);
  MPI_Comm_create(s->all, some, &s->part);
  if (s->part == MPI_COMM_NULL) {
    MPI_Barrier(s->all);
    return 0;
  }
  part = s->part;
  return 1;
}
static void run(void)
{
  MPI_Barrier(part);
}
static void finish(test *t)
{
  MPI_Barrier(t->settings.all);
  MPI_Comm_free(&part);
}
int main(int argc, char **argv)
{
  test *head = NULL;
  MPI_Init(&argc, &argv);
  for (int i = 1; i < argc; i++) {
    test *t = malloc(sizeof *t);
    t->settings.all = MPI_COMM_WORLD;
    t->settings.members = atoi(argv[i]);
    t->next = head;
    head = t;
  }
  for (test *t = head; t; t = t->next) {
    int joins = begin(t);
    if (!joins)
      continue;
    run();
    finish(t);
  }
  MPI_Finalize();
  return 0;
}
