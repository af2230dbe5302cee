/* clang 19: wrong. An update of some elements of a row that are not its first ones brings one of them. */
#include <stdio.h>

static double a[5][6];

int main(void)
{
    #pragma omp target enter data map(to: a)
    #pragma omp target
    for (int j = 0; j < 6; j++)
        a[2][j] = 7;
    #pragma omp target update from(a[2:1][1:3])
    puts(a[2][1] == 7 && a[2][2] == 7 && a[2][3] == 7 ? "right" : "wrong");
    #pragma omp target exit data map(delete: a)
    return 0;
}
