/* args: 1 */
#include <stdio.h>

#define NI 60
#define NJ 70
#define NK 80
#define NL 90

static double tmp[NI][NJ], A[NI][NK], B[NK][NJ], C[NJ][NL], D[NI][NL];

static void fill(void) {
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NK; j++) A[i][j] = (double)((i * j + 1) % NI) / NI;
    for (int i = 0; i < NK; i++)
        for (int j = 0; j < NJ; j++) B[i][j] = (double)(i * (j + 1) % NJ) / NJ;
    for (int i = 0; i < NJ; i++)
        for (int j = 0; j < NL; j++) C[i][j] = (double)((i * (j + 3) + 1) % NL) / NL;
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NL; j++) D[i][j] = (double)(i * (j + 2) % NK) / NK;
}

int main(void) {
    double alpha = 1.5, beta = 1.25;
    fill();
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NJ; j++) {
            tmp[i][j] = 0.0;
            for (int k = 0; k < NK; ++k) tmp[i][j] += alpha * A[i][k] * B[k][j];
        }
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NL; j++) {
            D[i][j] *= beta;
            for (int k = 0; k < NJ; ++k) D[i][j] += tmp[i][k] * C[k][j];
        }
    double sum = 0;
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NL; j++) sum += D[i][j];
    printf("%.9g\n", sum);
    return 0;
}
