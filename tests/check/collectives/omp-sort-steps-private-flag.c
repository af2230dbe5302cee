/* expects: warning OMM301 */
/* Odd-even sort with a flag of its own in every thread: those without a swap leave early. */
#include <omp.h>
#include <stdio.h>

#define N 16
static int a[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        a[i] = i;
    a[0] = N;
#pragma omp parallel
    {
        int swapped = 1;
        while (swapped) {
            swapped = 0;
            for (int odd = 0; odd < 2; odd++) {
#pragma omp for schedule(static)
                for (int i = odd; i < N - 1; i += 2) {
                    if (a[i] > a[i + 1]) {
                        int t = a[i];
                        a[i] = a[i + 1];
                        a[i + 1] = t;
                        swapped = 1;
                    }
                }
            }
        }
    }
    printf("last %d\n", a[N - 1]);
    printf("done\n");
    return 0;
}
