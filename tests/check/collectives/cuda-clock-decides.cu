/* expects: error OMM303 */
__global__ void spin(long long until, int *x)
{
    while (clock64() < until) {
        x[threadIdx.x]++;
        __syncthreads();
    }
}
