/* expects: error OMM303 */
__global__ void scan(int *x)
{
    for (int i = 0; i < threadIdx.x; i++) {
        x[threadIdx.x] += x[i];
        __syncthreads();
    }
}
