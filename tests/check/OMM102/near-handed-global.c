/* A function that is called in between sets the variable whose address was handed to a kernel before, and a kernel uses it by
 * its own name. */
#include <stdio.h>

static unsigned total;

static void count(const double *values, unsigned *found, int n)
{
    #pragma omp target map(to: values[0:n], found[0:1])
    for (int i = 0; i < n; i++)
        if (values[i] > 3.0)
            found[0] += 1;
}

static void reset(void)
{
    total = 4;
}

static void add(const double *values, int n)
{
    #pragma omp target teams distribute parallel for map(to: values[0:n]) reduction(+: total)
    for (int i = 0; i < n; i++)
        total += values[i] > 2.0;
}

int main(void)
{
    double values[20];
    for (int i = 0; i < 20; i++)
        values[i] = i;
    count(values, &total, 20);
    reset();
    printf("%u\n", total);
    add(values, 20);
    printf("%u\n", total);
    return 0;
}
