/* expects: warning OMM303 */
__global__ void rows(float *x, int n)
{
    __shared__ float part[128];
    int stride = blockDim.x * gridDim.x;
    int end = (n + stride - 1) / stride * stride;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < end; i += stride) {
        part[threadIdx.x] = i < n ? x[i] : 0;
        __syncthreads();
        if (i < n)
            x[i] = part[0];
        __syncthreads();
    }
}
