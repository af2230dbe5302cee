/* expects: error OMM303 */
__global__ void last(unsigned int *count, float *x)
{
    unsigned int ticket = atomicAdd(count, 1u);
    if (ticket == gridDim.x - 1) {
        x[threadIdx.x] = 0;
        __syncthreads();
    }
}
