/* expects: nothing */
#include <cooperative_groups.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

__global__ void work(int *x)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    if (threadIdx.x < 32) {
        int v = x[threadIdx.x];
        for (int s = tile.size() / 2; s > 0; s /= 2)
            v += tile.shfl_down(v, s);
        tile.sync();
        x[threadIdx.x] = v;
    }
    cg::sync(block);
}
