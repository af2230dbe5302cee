/* expects: error OMM303 */
__device__ void meet(int *x)
{
    x[threadIdx.x]++;
    __syncthreads();
}

__global__ void work(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        meet(x);
}
