/* expects: error OMM303 */
__global__ void reduce(int *out)
{
    __shared__ int sum;
    if (threadIdx.x == 0) {
        sum = 0;
        __syncthreads();
    }
    atomicAdd(&sum, 1);
    out[threadIdx.x] = sum;
}
