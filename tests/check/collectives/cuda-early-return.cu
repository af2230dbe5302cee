/* expects: warning OMM303 */
__global__ void smooth(float *x, int n)
{
    __shared__ float part[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    part[threadIdx.x] = x[i];
    __syncthreads();
    x[i] = part[threadIdx.x] + part[0];
}
