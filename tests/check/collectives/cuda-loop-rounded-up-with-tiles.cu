/* expects: warning OMM303 */
__global__ void count(const float *x, int *out, int n)
{
    __shared__ float tile[64];
    const int stride = blockDim.x * gridDim.x;
    const int end = (n + stride - 1) / stride * stride;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < end; i += stride) {
        int found = 0;
        for (int base = 0; base < n; base += 64) {
            if (base + threadIdx.x < n)
                tile[threadIdx.x] = x[base + threadIdx.x];
            __syncthreads();
            for (int k = 0; k < 64 && base + k < n; k++) {
                if (base + k == i)
                    continue;
                if (tile[k] > i)
                    break;
                found++;
            }
            __syncthreads();
        }
        if (i < n)
            out[i] = found;
    }
}
