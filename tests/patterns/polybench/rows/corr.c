/* args: 32 40, 3 4 */
/* the matrix of correlations of columns: arrays of rows of variable length */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

void correlation(int m, int n, double data[n][m], double mean[m], double stddev[m], double symmat[m][m]) {
    double eps = 0.005;
    for (int j = 0; j < m; j++) {
        mean[j] = 0;
        for (int i = 0; i < n; i++) mean[j] += data[i][j];
        mean[j] /= n;
    }
    for (int j = 0; j < m; j++) {
        stddev[j] = 0;
        for (int i = 0; i < n; i++) stddev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
        stddev[j] /= n;
        stddev[j] = sqrt(stddev[j]);
        stddev[j] = stddev[j] <= eps ? 1.0 : stddev[j];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            data[i][j] -= mean[j];
            data[i][j] /= sqrt(n) * stddev[j];
        }
    for (int j1 = 0; j1 < m - 1; j1++) {
        symmat[j1][j1] = 1;
        for (int j2 = j1 + 1; j2 < m; j2++) {
            symmat[j1][j2] = 0;
            for (int i = 0; i < n; i++) symmat[j1][j2] += data[i][j1] * data[i][j2];
            symmat[j2][j1] = symmat[j1][j2];
        }
    }
    symmat[m - 1][m - 1] = 1;
}

int main(int argc, char **argv) {
    if (argc < 3) return 1;
    int m = atoi(argv[1]), n = atoi(argv[2]);
    double (*data)[m] = malloc(n * sizeof *data);
    double *mean = malloc(m * sizeof *mean);
    double *stddev = malloc(m * sizeof *stddev);
    double (*symmat)[m] = malloc(m * sizeof *symmat);
    fill(*data, n * m);
    correlation(m, n, data, mean, stddev, symmat);
    show("data", *data, n * m);
    show("mean", mean, m);
    show("stddev", stddev, m);
    show("symmat", *symmat, m * m);
    free(data);
    free(mean);
    free(stddev);
    free(symmat);
    return 0;
}
