/* clang 19: wrong. One element of an array that is a member, as a section in each dimension. */
#include <stdio.h>

struct s { int id; double r[10][4]; } st;

int main(void)
{
    struct s *s = &st;
    #pragma omp target data map(tofrom: s->r)
    {
        #pragma omp target
        s->r[7][1] = 5;
        #pragma omp target update from(s->r[7:1][1:1])
        puts(s->r[7][1] == 5 ? "right" : "wrong");
    }
    return 0;
}
