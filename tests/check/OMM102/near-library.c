/* What is used by its address on the device is not followed; what stands beside it in the clauses is. */
#include <stdio.h>
#include <stdlib.h>

static void scale(double *on_device, int n)
{
    #pragma omp target teams distribute parallel for is_device_ptr(on_device)
    for (int i = 0; i < n; i++)
        on_device[i] *= 2;
}

int main(void)
{
    int n = 50;
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++)
        a[i] = i;
    #pragma omp target data map(tofrom: a[0:n]) map(from: b[0:n])
    {
        #pragma omp target data use_device_ptr(a)
        scale(a, n);
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            b[i] = a[i];
    }
    printf("%g %g\n", a[49], b[49]);
    free(a);
    free(b);
    return 0;
}
