/* expects: nothing */
__global__ void relax(float *x, float limit)
{
    bool moving = true;
    while (__syncthreads_or(moving)) {
        float before = x[threadIdx.x];
        __syncthreads();
        x[threadIdx.x] = before / 2;
        moving = before > limit;
    }
}
