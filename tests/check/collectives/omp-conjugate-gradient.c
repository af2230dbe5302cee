/* expects: nothing */
/* Conjugate gradient: dot products are reductions into shared sums, cleared in singles. */
#include <omp.h>
#include <stdio.h>

#define N 24
static double x[N], r[N], p[N], q[N];

int main(void)
{
    double rr = 0.0, pq = 0.0, rr_new = 0.0;
    int iterations = 0;
#pragma omp parallel shared(rr, pq, rr_new, iterations)
    {
#pragma omp for reduction(+ : rr)
        for (int i = 0; i < N; i++) {
            r[i] = p[i] = 1.0;
            rr += r[i] * r[i];
        }
        while (rr > 1e-12) {
#pragma omp for reduction(+ : pq)
            for (int i = 0; i < N; i++) {
                q[i] = 2.0 * p[i] - (i > 0 ? p[i - 1] : 0.0) - (i < N - 1 ? p[i + 1] : 0.0);
                pq += p[i] * q[i];
            }
#pragma omp for reduction(+ : rr_new)
            for (int i = 0; i < N; i++) {
                x[i] += rr / pq * p[i];
                r[i] -= rr / pq * q[i];
                rr_new += r[i] * r[i];
            }
#pragma omp for
            for (int i = 0; i < N; i++)
                p[i] = r[i] + rr_new / rr * p[i];
#pragma omp single
            {
                rr = rr_new;
                rr_new = pq = 0.0;
                iterations++;
            }
        }
    }
    printf("iterations %d, middle %.1f\n", iterations, x[N / 2]);
    printf("done\n");
    return 0;
}
