/* the matrix of correlations of columns: arrays from malloc, subscripts written out */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define M 32
#define N 40
#define EPS 0.005

static unsigned state = 1;

static void fill(double *v, int count) {
    for (int i = 0; i < count; i++) {
        state = state * 1103515245u + 12345u;
        v[i] = (double)(state >> 16 & 31) / 4 - 3;
    }
}

static void show(const char *name, const double *v, int count) {
    printf("%s", name);
    for (int i = 0; i < count; i++) printf(" %.17g", v[i]);
    printf("\n");
}

void correlation(double *data, double *mean, double *stddev, double *symmat) {
    for (int j = 0; j < M; j++) {
        mean[j] = 0;
        for (int i = 0; i < N; i++) mean[j] += data[i * M + j];
        mean[j] /= N;
    }
    for (int j = 0; j < M; j++) {
        stddev[j] = 0;
        for (int i = 0; i < N; i++)
            stddev[j] += (data[i * M + j] - mean[j]) * (data[i * M + j] - mean[j]);
        stddev[j] /= N;
        stddev[j] = sqrt(stddev[j]);
        stddev[j] = stddev[j] <= EPS ? 1.0 : stddev[j];
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            data[i * M + j] -= mean[j];
            data[i * M + j] /= sqrt(N) * stddev[j];
        }
    for (int j1 = 0; j1 < M - 1; j1++) {
        symmat[j1 * M + j1] = 1;
        for (int j2 = j1 + 1; j2 < M; j2++) {
            symmat[j1 * M + j2] = 0;
            for (int i = 0; i < N; i++) symmat[j1 * M + j2] += data[i * M + j1] * data[i * M + j2];
            symmat[j2 * M + j1] = symmat[j1 * M + j2];
        }
    }
    symmat[(M - 1) * M + M - 1] = 1;
}

int main(void) {
    double *data = malloc(N * M * sizeof *data);
    double *mean = malloc(M * sizeof *mean);
    double *stddev = malloc(M * sizeof *stddev);
    double *symmat = malloc(M * M * sizeof *symmat);
    fill(data, N * M);
    correlation(data, mean, stddev, symmat);
    show("data", data, N * M);
    show("mean", mean, M);
    show("stddev", stddev, M);
    show("symmat", symmat, M * M);
    free(data);
    free(mean);
    free(stddev);
    free(symmat);
    return 0;
}
