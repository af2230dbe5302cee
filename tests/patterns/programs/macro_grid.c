/* --all args:  */
/* Grids whose rows and columns are macros, as parameters, globals and one long array. */
#include <stdio.h>
#ifndef DATAX
#define DATAX 30
#endif
#ifndef DATAY
#define DATAY 44
#endif
#define CELLS (DATAX * DATAY)
typedef double grid[DATAX][DATAY];
static grid phi, psi;
static float flat[CELLS];
static void step(double from[DATAX][DATAY], double to[DATAX][DATAY])
{
    for (int i = 1; i < DATAX - 1; i++)
        for (int j = 1; j < DATAY - 1; j++)
            to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
}
static void edges(double g[][DATAY])
{
    for (int j = 0; j < DATAY; j++) {
        g[0][j] = g[1][j];
        g[DATAX - 1][j] = g[DATAX - 2][j];
    }
}
int main(void)
{
    for (int i = 0; i < DATAX; i++)
        for (int j = 0; j < DATAY; j++) {
            phi[i][j] = psi[i][j] = (3 * i + j) % 5;
            flat[i * DATAY + j] = j;
        }
    for (int t = 0; t < 5; t++) {
        step(phi, psi);
        edges(psi);
        step(psi, phi);
        edges(phi);
        for (int i = 0; i < DATAX; i++) flat[i * DATAY + DATAY / 2] += 1;
        for (int j = 0; j < DATAY; j++) flat[(DATAX / 2) * DATAY + j] *= 0.5f;
        phi[DATAX / 2][DATAY / 2] = t;
    }
    for (int i = 0; i < DATAX; i++)
        for (int j = 0; j < DATAY; j++) printf("%g %g %g\n", phi[i][j], psi[i][j], flat[i * DATAY + j]);
    return 0;
}
