/* expects: error OMM301 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
#pragma omp parallel num_threads(4)
    {
        int mine = 0;
#pragma omp sections
        {
#pragma omp section
            mine = 1;
#pragma omp section
            printf("other\n");
        }
        if (mine) {
#pragma omp barrier
        }
    }
    printf("done\n");
    return 0;
}
