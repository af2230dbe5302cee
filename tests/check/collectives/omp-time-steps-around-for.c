/* expects: nothing */
/* A sequential loop over time steps holds two worksharing loops, one of them without barrier. */
#include <omp.h>
#include <stdio.h>

static double u[32], v[32];

int main(void)
{
    u[16] = 1.0;
#pragma omp parallel
    {
        for (int step = 0; step < 4; step++) {
#pragma omp for
            for (int i = 1; i < 31; i++)
                v[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1];
#pragma omp for schedule(static) nowait
            for (int i = 1; i < 31; i++)
                u[i] = v[i];
#pragma omp barrier
        }
    }
    double sum = 0.0;
    for (int i = 0; i < 32; i++)
        sum += u[i];
    printf("sum %.2f\n", sum);
    printf("done\n");
    return 0;
}
