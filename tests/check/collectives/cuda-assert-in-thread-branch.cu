/* expects: nothing */
#include <assert.h>

__global__ void work(int *x, int n)
{
    assert(x[threadIdx.x] < n);
    if (threadIdx.x == 0 && n < 0)
        __trap();
    __syncthreads();
    x[threadIdx.x] = n;
}
