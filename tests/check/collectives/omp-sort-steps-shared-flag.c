/* expects: nothing */
/* Odd-even sort: a shared flag, cleared in a single and raised by any swap, ends the passes. */
#include <omp.h>
#include <stdio.h>

#define N 16
static int a[N];

int main(void)
{
    int swapped = 1, passes = 0;
    for (int i = 0; i < N; i++)
        a[i] = (i * 7) % N;
#pragma omp parallel shared(swapped, passes)
    {
        while (swapped) {
#pragma omp barrier
#pragma omp single
            {
                swapped = 0;
                passes++;
            }
            for (int odd = 0; odd < 2; odd++) {
#pragma omp for reduction(|| : swapped)
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
    printf("first %d last %d passes %d\n", a[0], a[N - 1], passes);
    printf("done\n");
    return 0;
}
