//! OMM303 `divergent-syncthreads`: not every thread of a CUDA block comes to a barrier.

use super::RuleText;

/// What there is to know about the rule.
pub const TEXT: RuleText = RuleText {
    code: "OMM303",
    name: "divergent-syncthreads",
    says: "Not every thread of a CUDA block comes to a `__syncthreads()`, or the threads come to different ones.",
    why: "All threads of a block have to come to each `__syncthreads()`, `__syncthreads_or()` and the like, and to `sync()` of the block's group. Where a condition that differs between them (by `threadIdx`, by what an atomic operation returns, by shared memory that some have written and nobody has waited for) decides whether one is called, what happens is undefined: the others wait for ever, or meet elsewhere and read what is not written yet. `blockIdx`, `blockDim` and what the kernel is given are the same for the block, and so is what `__syncthreads_or()` returns. Threads that have returned are not waited for by today's devices: a `return` of some in front of a barrier is a warning, as are as many barriers in both branches, and barriers in loops that begin at the thread and go on in larger steps, which may come out even. Files named `*.cu` are looked at, each by itself, and compiled for the device by clang without an installation of CUDA; barriers of a part of a block (`__syncwarp`, tiles, `bar.sync` in assembly) are not looked at.",
    fix: "Call the barrier outside of the condition, with all threads: let the condition enclose the work alone.",
    wrong: r#"__global__ void smooth(float *x, int n)
{
    __shared__ float part[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        part[threadIdx.x] = x[i];
        __syncthreads();
        x[i] = part[threadIdx.x] + part[0];
    }
}
"#,
    right: r#"__global__ void smooth(float *x, int n)
{
    __shared__ float part[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        part[threadIdx.x] = x[i];
    __syncthreads();
    if (i < n)
        x[i] = part[threadIdx.x] + part[0];
}
"#,
};
