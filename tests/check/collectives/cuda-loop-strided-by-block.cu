/* expects: warning OMM303 */
__global__ void rows(float *x, int n)
{
    __shared__ float part[128];
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        part[threadIdx.x] = x[i];
        __syncthreads();
        x[i] = part[0];
    }
}
