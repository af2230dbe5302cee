/* args: 1 */
#include <math.h>
#include <stdio.h>

#define M 96
#define N 64

static double A[M][N], R[N][N], Q[M][N];

static void orthonormal(void) {
    for (int k = 0; k < N; k++) {
        double nrm = 0.0;
        for (int i = 0; i < M; i++)
            nrm += A[i][k] * A[i][k];
        R[k][k] = sqrt(nrm);
        for (int i = 0; i < M; i++)
            Q[i][k] = A[i][k] / R[k][k];
        for (int j = k + 1; j < N; j++) {
            R[k][j] = 0.0;
            for (int i = 0; i < M; i++)
                R[k][j] += Q[i][k] * A[i][j];
            for (int i = 0; i < M; i++)
                A[i][j] = A[i][j] - Q[i][k] * R[k][j];
        }
    }
}

int main(void) {
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            A[i][j] = ((double)(i * j % M) / M) * 100 + 10 + (i == j);
            Q[i][j] = 0.0;
        }
    orthonormal();
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) sum += R[i][j] + Q[i][j];
    printf("%.6f\n", sum);
    return 0;
}
