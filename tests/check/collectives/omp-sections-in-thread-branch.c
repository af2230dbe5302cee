/* expects: error OMM301 */
/* Only the even threads meet the sections construct. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int a = 0, b = 0;
#pragma omp parallel shared(a, b)
    {
        if (omp_get_thread_num() % 2 == 0) {
#pragma omp sections
            {
#pragma omp section
                a = 1;
#pragma omp section
                b = 2;
            }
        }
#pragma omp barrier
#pragma omp barrier
        if (omp_get_thread_num() == 1)
            b++;
    }
    printf("%d\n", a + b);
    printf("done\n");
    return 0;
}
