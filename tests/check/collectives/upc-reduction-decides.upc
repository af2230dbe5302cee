/* expects: nothing */
#include <upc.h>
#include <upc_collective.h>
shared int left[THREADS];
shared int total;

int main(void)
{
    left[MYTHREAD] = MYTHREAD + 3;
    do {
        if (left[MYTHREAD] > 0)
            left[MYTHREAD]--;
        upc_all_reduceI(&total, left, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
        upc_barrier;
    } while (total > 0);
    return 0;
}
