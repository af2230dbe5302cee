/* expects: warning OMM304 */
#include <upc.h>
shared double x[100];

int main(void)
{
    int i;
    for (i = MYTHREAD; i < 100; i += THREADS) {
        x[i] = i;
        upc_barrier;
    }
    return 0;
}
