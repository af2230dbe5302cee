/* expects: nothing */
#include <upc.h>
shared int ready[THREADS];

int main(void)
{
    ready[MYTHREAD] = 1;
    upc_notify;
    if (MYTHREAD == 0)
        ready[0] = 2;
    upc_wait;
    return ready[0] - 2;
}
