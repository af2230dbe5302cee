/* expects: warning OMM303 */
__device__ void sort(int *x, int length)
{
    if (threadIdx.x >= length)
        return;
    for (int k = 2; k <= length; k *= 2) {
        x[threadIdx.x] ^= k;
        __syncthreads();
    }
    if (threadIdx.x < length / 2)
        x[threadIdx.x]++;
}

__global__ void sorted(int *x, int length)
{
    sort(x, length);
}
