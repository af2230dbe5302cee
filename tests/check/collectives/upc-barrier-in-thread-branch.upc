/* expects: error OMM304 */
#include <upc.h>
#include <stdio.h>

int main(void)
{
    if (MYTHREAD == 0) {
        printf("%d threads\n", THREADS);
        upc_barrier 1;
    }
    return 0;
}
