/* expects: error OMM303 */
__global__ void work(int *x, int n)
{
    if (n < 0)
        return;
    if (threadIdx.x < n) {
        x[threadIdx.x]++;
        __syncthreads();
    }
}
