/* expects: nothing */
__global__ void slots(int *x)
{
    __shared__ int flags[64];
    flags[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    if (flags[0]) {
        x[threadIdx.x] = flags[63 - threadIdx.x];
        __syncthreads();
    }
}
