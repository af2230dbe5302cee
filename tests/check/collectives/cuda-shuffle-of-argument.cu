/* expects: nothing */
__global__ void work(int *x, int n)
{
    int same = __shfl_sync(0xffffffff, n, 0);
    if (same > 3) {
        x[threadIdx.x] = __shfl_down_sync(0xffffffff, x[threadIdx.x], 1);
        __syncthreads();
    }
}
