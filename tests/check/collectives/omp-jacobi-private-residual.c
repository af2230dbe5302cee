/* expects: warning OMM301 */
/* As the Jacobi sweeps, but each thread ends by the residual of its own rows. */
#include <omp.h>
#include <stdio.h>
#include <math.h>

#define N 34
static double u[N], v[N];

int main(void)
{
    int sweeps = 0;
    u[0] = 1.0;
    v[0] = 1.0;
#pragma omp parallel shared(sweeps)
    {
        double diff = 1.0;
        while (diff > 1e-3) {
#pragma omp barrier
#pragma omp single
            sweeps++;
            diff = 0.0;
#pragma omp for
            for (int i = 1; i < N - 1; i++) {
                v[i] = 0.5 * (u[i - 1] + u[i + 1]);
                diff = fmax(diff, fabs(v[i] - u[i]));
            }
#pragma omp for
            for (int i = 1; i < N - 1; i++)
                u[i] = v[i];
        }
    }
    printf("sweeps %d\n", sweeps);
    printf("done\n");
    return 0;
}
