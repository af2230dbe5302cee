/* expects: nothing */
template <class T> __device__ T sum_of_block(T value, T *shared)
{
    shared[threadIdx.x] = value;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (threadIdx.x < s)
            shared[threadIdx.x] += shared[threadIdx.x + s];
        __syncthreads();
    }
    return shared[0];
}

__global__ void mean(float *x, int n)
{
    __shared__ float part[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float own = i < n ? x[i] : 0;
    float sum = sum_of_block(own, part);
    if (i < n)
        x[i] -= sum / n;
}
