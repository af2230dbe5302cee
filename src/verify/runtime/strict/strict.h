/* strict: a preload library that gives the host offload plugin a device memory of its own.
 *
 * LLVM's host plugin allocates "device" memory apart, and copies to and from it, but its kernels run in the program's
 * own address space: a kernel that dereferences a host pointer nobody mapped works by accident, where a GPU would
 * fault. With this library loaded, the program's memory is inaccessible while a kernel runs:
 *
 *   - its heap: what the program allocates comes from an arena of ours (also through strdup, getline, asprintf, ...);
 *   - its globals: the writable, not relocation-only pages of the executable and of shared objects next to it;
 *   - the stack of its main thread: kernels run on a stack of their own, so the program's can be closed whole.
 *
 * A kernel that touches any of it ends the program with status 97 and one line on standard error:
 *
 *     ompmemopt-strict: kernel touched unmapped host memory at 0x7f0123456780 (heap) in main at line 12
 *
 * How: the plugin finds kernels with dlsym. Ours hands out, for a kernel, a small piece of code made for it that
 * switches to the lane (stack) of the calling thread, closes the memory, calls the kernel, and opens the memory again.
 *
 * Kernels may run while other host threads go on. A fault is the kernel's if the faulting thread has device code nearer
 * on its stack than host code; a host thread that faults simply waits until no kernel runs.
 *
 * OMPMEMOPT_STRICT_FILL=BYTE (decimal) fills fresh heap blocks with that byte, as MALLOC_PERTURB_ does for malloc's
 * own.
 *
 * Not protected: memory from mmap or omp_alloc, stacks of further host threads, read-only data, and blocks that
 * libraries allocate on their own behalf. A system call that another host thread makes on closed memory returns EFAULT
 * instead of waiting. x86-64 and glibc only, which is what the host plugin's target triple says.
 */
#ifndef STRICT_H
#define STRICT_H

#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* the headers must not define inline what is defined here */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#if !defined(__x86_64__) || !defined(__linux__)
#error "strict needs x86-64 Linux"
#endif

#define PAGE 4096ul
#define EXPORT __attribute__((visibility("default")))
#define SETUP_STATUS 98

static inline uintptr_t page_down(uintptr_t address) { return address & ~(PAGE - 1); }
static inline uintptr_t page_up(uintptr_t address) { return page_down(address + PAGE - 1); }

struct range {
    uintptr_t low, high;
};

static inline int holds(struct range range, uintptr_t address) { return address >= range.low && address < range.high; }

/* The C library's own allocator, below the names that this library takes over. */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

/* start.c: ends the program because this library cannot do its work. */
_Noreturn void give_up(const char *what);

/* objects.c: which addresses belong to the program, and which to device images. */
#define MOST_OBJECTS 32
extern struct range globals[MOST_OBJECTS]; /* the writable part of each of the program's objects */
extern int object_count;
int in_any(const struct range *ranges, int count, uintptr_t address);
int of_program(uintptr_t address);
int of_image(uintptr_t address);
void find_program(void);
void note_image_of(uintptr_t kernel);

/* heap.c: an arena for what the program allocates. NULL until it may be used. */
#define ARENA_SIZE (16ul << 30)
extern char *arena;
int in_arena(const void *p);
struct range heap_in_use(void);
void start_heap(void);
void *allocate(size_t size, size_t alignment, int zero);
void *resize(void *p, size_t size);
void release(void *p);
size_t allocated_size(void *p);

/* memory.c: closing the program's memory while kernels run. */

/* One per thread that launches kernels: the stack that its kernels run on, and the launch in progress. The trampoline
 * knows the offsets of the first members. */
struct lane {
    uintptr_t registers[6]; /* integer arguments of the launch */
    uintptr_t stack;        /* stack pointer to enter the kernel with */
    uintptr_t kernel;       /* its address */
    const char *name;       /* its symbol */
    struct range memory;    /* the lane's own stack */
    uintptr_t host_top;     /* one past the highest address of the thread's own stack */
    struct range closed;    /* what is closed of that stack while the kernel runs */
};

extern atomic_int kernels_running;
extern struct range closed_stack; /* of the main thread, while it runs a kernel */
extern const char *volatile last_kernel;
void close_memory(struct lane *lane);
void open_memory(struct lane *lane);

/* launch.c: finding and entering kernels. */
void find_dlsym(void);

/* fault.c: what to do about an access to closed memory. */
void catch_faults(void);

/* start.c: the main thread's stack above which nothing is the program's; 0 on any other thread. */
uintptr_t program_stack_top(void);

#endif
