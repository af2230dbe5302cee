/* One function leaves the array where the other one takes it. */
#include <stdio.h>
#include <stdlib.h>

static int field[32];

static void raise(void)
{
    #pragma omp target enter data map(to: field)
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < 32; i++)
        field[i] += i;
    #pragma omp target exit data map(from: field)
}

static void halve(void)
{
    #pragma omp target teams distribute parallel for map(tofrom: field)
    for (int i = 0; i < 32; i++)
        field[i] /= 2;
}

int main(void)
{
    raise();
    halve();
    int sum = 0;
    for (int i = 0; i < 32; i++)
        sum += field[i];
    printf("%d\n", sum);
    return 0;
}
