/* Each call copies the table anew. */
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 48 };
static double table[SIZE];

static double summed(int by)
{
    double sum = 0.0;
    #pragma omp target teams distribute parallel for map(to: table) map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < SIZE; i++)
        sum += by * table[i];
    return sum;
}

int main(void)
{
    for (int i = 0; i < SIZE; i++)
        table[i] = i % 5;
    double all = 0.0;
    for (int t = 1; t < 9; t++)
        all += summed(t);
    printf("%g\n", all);
    return 0;
}
