/* expects: error OMM303 */
__global__ void work(int *x)
{
    if (__any_sync(0xffffffff, threadIdx.x > 40)) {
        x[threadIdx.x] = 1;
        __syncthreads();
    }
}
