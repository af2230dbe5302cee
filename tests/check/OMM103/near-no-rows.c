/* Where there are no rows nothing is mapped, and nothing is used. */
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 8, USED = 5 };

static void clear(double *halo, int rows)
{
    #pragma omp target teams distribute parallel for collapse(2) map(tofrom: halo[0:rows * WIDTH])
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < USED; j++)
            halo[i * WIDTH + j] += 1;
}

static void scale(double *v, const double *factor, int n)
{
    #pragma omp target teams distribute parallel for map(tofrom: v[0:n]) map(to: factor[0:n > 0])
    for (int i = 0; i < n; i++)
        v[i] *= factor[0];
}

int main(void)
{
    double *halo = calloc(4 * WIDTH, sizeof *halo), factor[1] = {3};
    clear(halo, 0);
    clear(halo, 4);
    scale(halo, factor, 0);
    scale(halo, factor, WIDTH);
    for (int i = 0; i < 4 * WIDTH; i++)
        printf("%g\n", halo[i]);
    free(halo);
    return 0;
}
