/* expects: error OMM303 */
__global__ void work(float *x, int n)
{
    int last = min(threadIdx.x, n);
    float root = sqrtf(last + 1.0f);
    if (root > 4) {
        x[threadIdx.x] = root;
        __syncthreads();
    }
}
