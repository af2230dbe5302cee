/* expects: nothing */
#include <upc_relaxed.h>

int main(void)
{
    if (THREADS > 1)
        upc_barrier;
    return 0;
}
