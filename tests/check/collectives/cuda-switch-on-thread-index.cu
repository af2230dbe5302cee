/* expects: error OMM303 */
__global__ void roles(int *x)
{
    switch (threadIdx.x / 32) {
    case 0:
        x[0] = 1;
        __syncthreads();
        break;
    case 1:
        x[1] = 1;
        break;
    default:
        __syncthreads();
    }
}
