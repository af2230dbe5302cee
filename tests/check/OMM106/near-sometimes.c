/* `a` is on the device only where somebody asks for it, and so is the kernel that relies on that. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 64 };

static void run(int resident)
{
    int *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    for (int i = 0; i < N; i++)
        a[i] = b[i] = i;
    if (resident) {
        #pragma omp target enter data map(to: a[0:N])
    }
    if (resident) {
        #pragma omp target teams distribute parallel for map(tofrom: b[0:N])
        for (int i = 0; i < N; i++)
            b[i] += a[i];
    } else {
        #pragma omp target teams distribute parallel for map(tofrom: b[0:N]) map(to: a[0:N])
        for (int i = 0; i < N; i++)
            b[i] += 2 * a[i];
    }
    #pragma omp target exit data map(release: a[0:N])
    for (int i = 0; i < N; i++)
        printf("%d\n", b[i]);
    free(a);
    free(b);
}

int main(void)
{
    run(1);
    run(0);
    return 0;
}
