/* expects: error OMM303 */
__device__ void sort(int *x, int length)
{
    if (threadIdx.x >= length)
        return;
    x[threadIdx.x]++;
    __syncthreads();
    x[threadIdx.x]--;
}

__global__ void sorted(int *x, int length)
{
    sort(x, length);
    x[0] = 1;
    __syncthreads();
}
