/* expects: error OMM303 */
__global__ void relax(float *x, float limit)
{
    bool moving = threadIdx.x > 0;
    while (moving) {
        float before = x[threadIdx.x];
        __syncthreads();
        x[threadIdx.x] = before / 2;
        moving = before * threadIdx.x > limit;
    }
}
