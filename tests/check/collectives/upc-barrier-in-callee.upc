/* expects: error OMM304 */
#include <upc.h>
#include <upc_collective.h>
shared [2] int a[2*THREADS], b[2*THREADS];

static void spread(int round)
{
    upc_all_broadcast(b, a, 2 * sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    a[MYTHREAD] = round;
}

int main(void)
{
    spread(0);
    if (MYTHREAD < THREADS - 1)
        spread(1);
    return 0;
}
