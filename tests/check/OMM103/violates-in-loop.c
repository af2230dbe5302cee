// What a kernel maps in each iteration of a loop sticks out of what is there: the first iteration stops the program.
#include <stdio.h>

#define N 64

int main(void) {
    double a[N];
    for (int i = 0; i < N; i++) a[i] = i;
    #pragma omp target data map(tofrom: a[1:N-1])
    for (int step = 0; step < 3; step++) {
        #pragma omp target teams distribute parallel for map(tofrom: a[0:N])
        for (int i = 0; i < N; i++) a[i] += step;
        #pragma omp target teams distribute parallel for map(tofrom: a[1:N-1])
        for (int i = 1; i < N; i++) a[i] *= 0.5;
    }
    for (int i = 0; i < N; i++) printf("%g\n", a[i]);
    return 0;
}
