/* expects: error OMM303 */
__global__ void search(int *out)
{
    __shared__ int last;
    if (threadIdx.x == 0)
        last = out[0];
    if (last > 0)
        __syncthreads();
    out[threadIdx.x] = last;
}
