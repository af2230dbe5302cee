/* expects: nothing */
__global__ void search(const int *x, int *out, int wanted)
{
    __shared__ bool found;
    if (threadIdx.x == 0)
        found = false;
    __syncthreads();
    if (x[threadIdx.x] == wanted)
        found = true;
    __syncthreads();
    if (found) {
        out[threadIdx.x] = 1;
        __syncthreads();
        out[threadIdx.x] += out[0];
    }
}
