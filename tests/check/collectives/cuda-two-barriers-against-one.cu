/* expects: error OMM303 */
__global__ void halves(int *x)
{
    if (threadIdx.x < 32) {
        __syncthreads();
        x[threadIdx.x] = 1;
        __syncthreads();
    } else {
        __syncthreads();
    }
    x[threadIdx.x]++;
}
