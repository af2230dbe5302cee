/* expects: nothing */
/* Who is no member meets the others in a barrier of its own, in functions with many checks; members use a file meanwhile. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        if ((call) != MPI_SUCCESS) {                                                                                   \
            fprintf(stderr, "failed\n");                                                                               \
            if (verbose)                                                                                               \
                fprintf(stderr, "line %d\n", __LINE__);                                                                \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                                              \
        }                                                                                                              \
    } while (0)

struct parameters {
    int members, stamp;
    MPI_Comm world, part;
};
struct test {
    struct parameters with;
    struct test *next;
};
struct opened {
    MPI_File file;
};

static int verbose;
static MPI_Comm part;

static int begin(struct test *t)
{
    struct parameters *p = &t->with;
    MPI_Group all, some;
    int range[3] = {0, p->members - 1, 1};
    CHECK(MPI_Comm_group(p->world, &all));
    CHECK(MPI_Group_range_incl(all, 1, &range, &some));
    CHECK(MPI_Comm_create(p->world, some, &p->part));
    CHECK(MPI_Group_free(&all));
    CHECK(MPI_Group_free(&some));
    if (p->part == MPI_COMM_NULL) {
        CHECK(MPI_Barrier(p->world));
        return 0;
    }
    part = p->part;
    if (p->stamp > 3)
        verbose = 1;
    if (p->stamp > 5)
        fprintf(stderr, "stamp %d\n", p->stamp);
    return 1;
}

static struct opened *begin_file(struct parameters *p)
{
    struct opened *o = malloc(sizeof *o);
    CHECK(MPI_File_open(p->part, "/dev/null", MPI_MODE_RDONLY, MPI_INFO_NULL, &o->file));
    return o;
}

static void work(struct parameters *p, int rank)
{
    double own = rank, all[64];
    struct opened *o = begin_file(p);
    CHECK(MPI_Bcast(&p->stamp, 1, MPI_INT, 0, part));
    if (rank == 0)
        CHECK(MPI_Gather(&own, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, p->part));
    else
        CHECK(MPI_Gather(&own, 1, MPI_DOUBLE, NULL, 1, MPI_DOUBLE, 0, part));
    CHECK(MPI_File_close(&o->file));
    free(o);
}

static void end(struct test *t)
{
    CHECK(MPI_Barrier(t->with.world));
    CHECK(MPI_Comm_free(&part));
}

int main(int argc, char **argv)
{
    struct test *tests = NULL;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 1; i <= 2; i++) {
        struct test *t = malloc(sizeof *t);
        t->with.members = i < size ? i : size;
        t->with.stamp = argc;
        t->with.world = MPI_COMM_WORLD;
        t->with.part = MPI_COMM_WORLD;
        t->next = tests;
        tests = t;
    }
    for (struct test *t = tests; t; t = t->next) {
        if (!begin(t))
            continue;
        work(&t->with, rank);
        end(t);
    }
    MPI_Finalize();
    return 0;
}
