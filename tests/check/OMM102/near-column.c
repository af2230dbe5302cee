/* One column of rows that are as long as a variable says comes back, and the host reads no other. */
#include <stdio.h>
#include <stdlib.h>

static double first(int ny, int nx, double (*h)[nx])
{
    double sum = 0;
    #pragma omp target enter data map(to: h[0:ny][0:nx])
    #pragma omp target teams distribute parallel for
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++)
            h[y][x] += y + x;
    #pragma omp target update from(h[0:ny][0:1])
    for (int y = 0; y < ny; y++)
        sum += h[y][0];
    #pragma omp target exit data map(delete: h[0:ny][0:nx])
    return sum;
}

int main(void)
{
    int ny = 6, nx = 10;
    double (*h)[nx] = malloc(ny * sizeof *h);
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++)
            h[y][x] = y;
    printf("%g\n", first(ny, nx, h));
    free(h);
    return 0;
}
