/* expects: error OMM304 */
#include <upc.h>
#define N 10
shared int a[N*THREADS];

int main(void)
{
    int i;
    upc_forall (i = 0; i < N * THREADS; i++; &a[i]) {
        a[i] = i;
        upc_barrier;
    }
    return 0;
}
