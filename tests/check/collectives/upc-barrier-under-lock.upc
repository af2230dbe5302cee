/* expects: error OMM304 */
#include <upc.h>
shared int sum;

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    upc_lock(lock);
    sum += MYTHREAD;
    upc_barrier;
    upc_unlock(lock);
    return 0;
}
