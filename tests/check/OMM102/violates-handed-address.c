/* `main` hands the address of a variable to a function whose kernel writes it: mapped `to`, the number never
 * comes back. */
#include <stdio.h>

static void count(const double *values, unsigned *found, int n)
{
    *found = 0;
    #pragma omp target map(to: values[0:n], found[0:1])
    for (int i = 0; i < n; i++)
        if (values[i] > 3.0)
            found[0] += 1;
}

int main(void)
{
    double values[20];
    unsigned found = 0;
    for (int i = 0; i < 20; i++)
        values[i] = i;
    count(values, &found, 20);
    printf("%u\n", found);
    return 0;
}
