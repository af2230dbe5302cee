/* expects: nothing */
/* An ordered region in a loop prints in order, without any barrier inside. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
#pragma omp parallel
    {
#pragma omp for ordered schedule(dynamic)
        for (int i = 0; i < 6; i++) {
            int square = i * i;
#pragma omp ordered
            printf("%d ", square);
        }
#pragma omp single
        printf("\n");
    }
    printf("done\n");
    return 0;
}
