/* expects: nothing */
__device__ unsigned int count = 0;

__global__ void last(float *x)
{
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        unsigned int ticket = atomicInc(&count, gridDim.x);
        is_last = ticket == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last) {
        x[threadIdx.x] = 0;
        __syncthreads();
        x[threadIdx.x] += x[0];
    }
}
