#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 1000;
    double *u = malloc(n * sizeof *u);
    for (int i = 0; i < n; i++)
        u[i] = i;
    #pragma omp target data map(to: u[0:n])
    {
        #pragma omp target teams distribute parallel for map(to: u[0:n])
        for (int i = 0; i < n; i++)
            u[i] = u[i] * 0.5;
    }
    for (int i = 0; i < n; i++)
        printf("%g\n", u[i]);
    free(u);
    return 0;
}
