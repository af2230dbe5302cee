/* clang 19: crashes. A member of a struct in front of parts of rows, in one list. */
#include <stdio.h>

struct s { int n; double v[4]; } st;
double g[4][4];

int main(void)
{
    struct s *s = &st;
    #pragma omp target enter data map(to: st, g)
    #pragma omp target
    {
        st.v[1] = 3;
        g[1][1] = 4;
    }
    #pragma omp target update from(s->v[1:1], g[1:1][0:2])
    puts(st.v[1] == 3 && g[1][1] == 4 ? "right" : "wrong");
    return 0;
}
