/* expects: error OMM303 */
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void work(int *x)
{
    cg::thread_block block = cg::this_thread_block();
    if (block.thread_rank() < 32) {
        x[threadIdx.x] = 1;
        block.sync();
    }
    x[0] += 1;
}
