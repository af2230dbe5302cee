/* --all args: */
#include <stdio.h>
/* By its indices the inner loop comes to elements that `sum` does not have; a condition keeps it from them. Directives that
 * copy what the indices say would copy nothing, because not all of it is there. */
static int grid[838], weight[74];
int main(void)
{
    int sum[710];
    for (int q = 0; q < 838; q++) grid[q] = (3 * q + 4) % 69;
    for (int q = 0; q < 710; q++) sum[q] = (4 * q + 7) % 94;
    for (int q = 0; q < 74; q++) weight[q] = (13 * q + 7) % 45;
    for (int i = 40; i > 0; i--) {
        for (int j = 2; j < 37; j++)
            if (grid[i * 20 + j] > 59 && i + j < 70) sum[i * 17 + j + 2] += weight[i + j];
        sum[i] = grid[i + 1];
    }
    for (int q = 0; q < 710; q++) printf("%d ", sum[q]);
    printf("\n");
    return 0;
}
