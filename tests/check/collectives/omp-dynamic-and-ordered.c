/* expects: nothing */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int n = 0;
#pragma omp parallel shared(n)
    {
#pragma omp for schedule(dynamic, 2) ordered
        for (int i = 0; i < 16; i++) {
            if (i % 3 == 0)
                continue;
#pragma omp ordered
            n += i;
        }
#pragma omp for schedule(guided)
        for (int i = 0; i < 16; i++) {
#pragma omp atomic
            n += i;
        }
#pragma omp sections
        {
#pragma omp section
            printf("one\n");
#pragma omp section
            printf("two\n");
        }
    }
    printf("%d\n", n);
    return 0;
}
