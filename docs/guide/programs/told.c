#include <stdlib.h>

void log_state(const double *u, int n);

int main(void)
{
    int n = 1000;
    double *u = calloc(n, sizeof *u);
    for (int t = 0; t < 100; t++) {
        #pragma omp target teams distribute parallel for map(tofrom: u[0:n])
        for (int i = 0; i < n; i++)
            u[i] = u[i] + t;
        if (t % 10 == 0)
            log_state(u, n);
    }
    free(u);
    return 0;
}
