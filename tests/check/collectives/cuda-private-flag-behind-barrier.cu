/* expects: error OMM303 */
__global__ void mark(int *out)
{
    bool mine = threadIdx.x % 2;
    __syncthreads();
    if (mine) {
        out[threadIdx.x] = 1;
        __syncthreads();
    }
}
