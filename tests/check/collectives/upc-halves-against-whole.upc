/* expects: warning OMM304 */
#include <upc.h>
shared int x;

int main(void)
{
    if (MYTHREAD == 0) {
        upc_notify;
        upc_wait;
    } else {
        upc_barrier;
    }
    return x;
}
