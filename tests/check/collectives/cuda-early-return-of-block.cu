/* expects: nothing */
__global__ void smooth(float *x, int blocks)
{
    __shared__ float part[256];
    if (blockIdx.x >= blocks)
        return;
    part[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = part[threadIdx.x] + part[0];
}
