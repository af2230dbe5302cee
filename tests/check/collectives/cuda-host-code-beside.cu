/* expects: nothing */
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

template <int N> __global__ void shift(float *x)
{
    __shared__ float part[N];
    part[threadIdx.x] = sqrtf(x[threadIdx.x]) + max(x[0], 1.0f);
    __syncthreads();
    x[threadIdx.x] = part[(threadIdx.x + 1) % N];
}

int main()
{
    std::vector<float> host(64, 1.0f);
    float *device;
    cudaMalloc(&device, 64 * sizeof(float));
    cudaMemcpy(device, host.data(), 64 * sizeof(float), cudaMemcpyHostToDevice);
    shift<64><<<1, 64>>>(device);
    cudaMemcpy(host.data(), device, 64 * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%g\n", host[0]);
    cudaFree(device);
    return 0;
}
