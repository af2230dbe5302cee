/* The sizes are what macros say, in this build. */
#define N 40
#define K 5
#define D 8
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    const int n = N, k = K, d = D;
    float *c = malloc(sizeof(float) * k * d), *m = malloc(sizeof(float) * n);
    for (int i = 0; i < k * d; i++) c[i] = i;
    #pragma omp target enter data map(to: c[0:k*d-3]) map(alloc: m[0:n])
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
        float dist = 0;
        for (int j = 0; j < k; j++) {
            for (int f = 0; f < d; f++) { dist += c[j * d + f]; }
        }
        m[i] = dist;
    }
    #pragma omp target exit data map(release: c[0:k*d]) map(from: m[0:n])
    printf("%g\n", m[3]);
    return 0;
}
