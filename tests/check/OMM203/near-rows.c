/* Each iteration copies a row of its own. */
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 8, COLUMNS = 20 };

int main(void)
{
    static double grid[ROWS][COLUMNS];
    double sums[ROWS];
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            grid[r][c] = r + c;
    for (int r = 0; r < ROWS; r++) {
        double sum = 0.0;
        #pragma omp target teams distribute parallel for map(to: grid[r:1][0:COLUMNS]) map(tofrom: sum) reduction(+: sum)
        for (int c = 0; c < COLUMNS; c++)
            sum += grid[r][c];
        sums[r] = sum;
    }
    for (int r = 0; r < ROWS; r++)
        printf("%g\n", sums[r]);
    return 0;
}
