/* expects: warning OMM304 */
#include <upc.h>
shared int steps[THREADS];

int main(void)
{
    int i;
    upc_barrier;
    for (i = 0; i < steps[MYTHREAD]; i++)
        upc_barrier;
    return 0;
}
