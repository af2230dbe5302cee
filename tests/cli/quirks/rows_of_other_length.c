/* clang 19: wrong. A section of rows, after the variable has changed that said how long they are. */
#include <stdio.h>

int main(void)
{
    int m = 4;
    double a[5][m];
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 4; j++)
            a[i][j] = 0;
    #pragma omp target enter data map(to: a[0:5][0:m])
    #pragma omp target
    a[2][1] = 7;
    m = 3;
    #pragma omp target update from(a[2:1][1:1])
    puts(a[2][1] == 7 ? "right" : "wrong");
    #pragma omp target exit data map(delete: a)
    return 0;
}
