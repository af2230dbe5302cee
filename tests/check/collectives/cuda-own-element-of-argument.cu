/* expects: warning OMM303 */
__global__ void steps(const int *length, float *x)
{
    int n = length[threadIdx.x];
    for (int i = 0; i < n; i++) {
        x[threadIdx.x] += i;
        __syncthreads();
    }
}
