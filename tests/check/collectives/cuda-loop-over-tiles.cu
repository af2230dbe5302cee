/* expects: nothing */
__global__ void multiply(const float *a, const float *b, float *c, int n)
{
    __shared__ float left[16][16], right[16][16];
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int tile = 0; tile < n / 16; tile++) {
        left[threadIdx.y][threadIdx.x] = a[row * n + tile * 16 + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = b[(tile * 16 + threadIdx.y) * n + column];
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += left[threadIdx.y][k] * right[k][threadIdx.x];
        __syncthreads();
    }
    if (row < n && column < n)
        c[row * n + column] = sum;
}
