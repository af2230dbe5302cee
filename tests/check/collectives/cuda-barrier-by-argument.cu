/* expects: nothing */
__global__ void steps(float *x, int n, bool twice)
{
    for (int step = 0; step < n; step++) {
        x[threadIdx.x] += 1;
        if (twice && step % 2)
            __syncthreads();
    }
}
