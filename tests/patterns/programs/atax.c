/* args: 1 */
#include <stdio.h>

#define NX 200
#define NY 150

static double A[NX][NY], x[NY], y[NY], tmp[NX];

int main(void) {
    for (int i = 0; i < NY; i++) x[i] = i * 0.25;
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++) A[i][j] = (double)(i * (j + 1) % 31) / NX;
    for (int i = 0; i < NY; i++) y[i] = 0;
    for (int i = 0; i < NX; i++) {
        tmp[i] = 0;
        for (int j = 0; j < NY; j++) tmp[i] = tmp[i] + A[i][j] * x[j];
        for (int j = 0; j < NY; j++) y[j] = y[j] + A[i][j] * tmp[i];
    }
    double sum = 0;
    for (int i = 0; i < NY; i++) sum += y[i];
    printf("%.9g\n", sum);
    return 0;
}
