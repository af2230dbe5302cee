/* expects: error OMM304 */
#include <upc.h>
shared int *table;

int main(void)
{
    if (MYTHREAD == 0)
        table = upc_all_alloc(THREADS, 64);
    upc_barrier;
    return 0;
}
