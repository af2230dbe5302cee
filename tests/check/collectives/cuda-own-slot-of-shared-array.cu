/* expects: warning OMM303 */
__global__ void slots(int *x)
{
    __shared__ int flags[64];
    flags[threadIdx.x] = x[0];
    __syncthreads();
    if (flags[threadIdx.x])
        __syncthreads();
}
