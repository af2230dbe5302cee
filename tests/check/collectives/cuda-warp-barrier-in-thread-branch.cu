/* expects: nothing */
__global__ void work(int *x)
{
    if (threadIdx.x < 32) {
        x[threadIdx.x] = 1;
        __syncwarp();
    }
    __syncthreads();
}
