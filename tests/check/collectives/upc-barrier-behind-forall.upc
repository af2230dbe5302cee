/* expects: nothing */
#include <upc.h>
#define N 10
shared [N] double a[N*THREADS], b[N*THREADS];
shared double error;

int main(void)
{
    int i, step;
    for (step = 0; step < 100; step++) {
        upc_forall (i = 1; i < N * THREADS - 1; i++; &a[i])
            b[i] = (a[i - 1] + a[i + 1]) / 2;
        upc_barrier;
        if (MYTHREAD == 0)
            error = b[1] - a[1];
        upc_barrier;
        if (error < 1e-6)
            break;
        upc_forall (i = 1; i < N * THREADS - 1; i++; i)
            a[i] = b[i];
        upc_barrier;
    }
    return 0;
}
