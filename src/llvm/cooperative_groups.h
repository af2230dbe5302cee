/* Stand-in for cooperative_groups.h, as cuda.h: groups of threads, of which a block waits for all of it. */
#ifndef OMPMEMOPT_COOPERATIVE_GROUPS_H
#define OMPMEMOPT_COOPERATIVE_GROUPS_H

namespace cooperative_groups {
struct thread_group {
    __device__ void sync() const __asm__("group.sync");
    __device__ unsigned int thread_rank() const __asm__("thread_rank");
    __device__ __attribute__((const)) unsigned int size() const __asm__("group.size");
    __device__ __attribute__((const)) unsigned int num_threads() const __asm__("group.size");
};
struct thread_block : thread_group {
    __device__ void sync() const __asm__("thread_block.sync");
    __device__ __attribute__((const)) dim3 group_index() const __asm__("group_index");
    __device__ dim3 thread_index() const __asm__("thread_index");
    __device__ __attribute__((const)) dim3 group_dim() const __asm__("group_dim");
};
struct grid_group : thread_group {
    __device__ void sync() const __asm__("grid_group.sync");
    __device__ __attribute__((const)) bool is_valid() const __asm__("grid_group.is_valid");
};
struct multi_grid_group : thread_group {
    __device__ void sync() const __asm__("grid_group.sync");
};
struct coalesced_group : thread_group {
    __device__ void sync() const __asm__("group.sync");
    template <class T> __device__ __attribute__((const)) T shfl(T, unsigned int) const;
    template <class T> __device__ __attribute__((const)) T shfl_down(T, unsigned int) const;
    template <class T> __device__ __attribute__((const)) T shfl_up(T, unsigned int) const;
    __device__ __attribute__((const)) int any(int) const;
    __device__ __attribute__((const)) int all(int) const;
    __device__ __attribute__((const)) unsigned int ballot(int) const;
    __device__ unsigned int meta_group_rank() const __asm__("thread_rank");
};
template <unsigned int Size, class Parent = void> struct thread_block_tile : coalesced_group {
    __device__ thread_block_tile() {}
    template <class Other> __device__ thread_block_tile(const thread_block_tile<Size, Other> &) {}
    template <class T> __device__ __attribute__((const)) T shfl_xor(T, unsigned int) const;
    __device__ __attribute__((const)) unsigned int meta_group_size() const __asm__("group.size");
};
static inline __device__ thread_block this_thread_block() { return thread_block(); }
static inline __device__ grid_group this_grid() { return grid_group(); }
static inline __device__ multi_grid_group this_multi_grid() { return multi_grid_group(); }
static inline __device__ coalesced_group coalesced_threads() { return coalesced_group(); }
static inline __device__ coalesced_group tiled_partition(const thread_group &, unsigned int) { return coalesced_group(); }
template <unsigned int Size, class Group> static inline __device__ thread_block_tile<Size, Group> tiled_partition(const Group &) {
    return thread_block_tile<Size, Group>();
}
__device__ void sync(const thread_block &) __asm__("thread_block.sync");
__device__ void sync(const grid_group &) __asm__("grid_group.sync");
__device__ void sync(const thread_group &) __asm__("group.sync");
template <class T> struct plus { __device__ T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { __device__ T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
template <class Group, class T, class Operator> __device__ __attribute__((const)) T reduce(const Group &, T, Operator);
template <class Group, class T, class Operator> __device__ __attribute__((const)) T inclusive_scan(const Group &, T, Operator);
template <class Group, class T, class Operator> __device__ __attribute__((const)) T exclusive_scan(const Group &, T, Operator);
}

#endif
