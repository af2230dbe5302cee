/* Who has the newest value of each byte that was ever mapped: a byte of flags for each, and the value that last came back,
 * in leaves for 4 MiB that a table over the address space points to. Zero says what is so of memory that no kernel knows:
 * the host has the value, and the device has not. */
#include "trace.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

enum {
    HOST_STALE = 1,     /* a kernel has written it since the host had it */
    DEVICE_CURRENT = 2, /* the device has the newest value, or would have if it had been left there */
    CAME_BACK = 4,      /* copied from the device since a kernel wrote it */
    CAME_UP = 8,        /* copied to the device since the host wrote it */
};

#define LEAF_BITS 22
#define LEAF_SIZE (1ul << LEAF_BITS)
#define LEAVES (1ul << (47 - LEAF_BITS))

/* The value that came back lies LEAF_SIZE behind the flags. */
typedef _Atomic unsigned char flags;
static _Atomic(flags *) *leaves;
static pthread_mutex_t leaves_lock = PTHREAD_MUTEX_INITIALIZER;

static void *pages(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static inline flags *flags_of(uintptr_t host) {
    size_t leaf = host >> LEAF_BITS;
    flags *start = leaves && leaf < LEAVES ? atomic_load_explicit(&leaves[leaf], memory_order_acquire) : NULL;
    return start ? &start[host & (LEAF_SIZE - 1)] : NULL;
}

void watch(uintptr_t host, size_t bytes) {
    pthread_mutex_lock(&leaves_lock);
    if (!leaves)
        leaves = pages(LEAVES * sizeof *leaves);
    for (size_t leaf = host >> LEAF_BITS; leaves && leaf <= (host + bytes - 1) >> LEAF_BITS && leaf < LEAVES; leaf++)
        if (!atomic_load(&leaves[leaf]))
            atomic_store(&leaves[leaf], pages(2 * LEAF_SIZE));
    pthread_mutex_unlock(&leaves_lock);
}

void unwatch(uintptr_t host, size_t bytes) {
    for (uintptr_t at = host; at < host + bytes; at++) {
        flags *known = flags_of(at);
        if (known)
            atomic_store_explicit(known, 0, memory_order_relaxed);
        else
            at |= LEAF_SIZE - 1;
    }
}

void copied(uintptr_t host, size_t bytes, enum direction direction) {
    for (uintptr_t at = host; at < host + bytes; at++) {
        flags *known = flags_of(at);
        if (!known) {
            at |= LEAF_SIZE - 1;
        } else if (direction == TO_DEVICE) {
            if (!(*known & DEVICE_CURRENT))
                atomic_fetch_or_explicit(known, CAME_UP, memory_order_relaxed);
        } else if (*known & HOST_STALE) {
            known[LEAF_SIZE] = *(unsigned char *)at;
            atomic_fetch_or_explicit(known, CAME_BACK, memory_order_relaxed);
        }
    }
}

static void need(uintptr_t host, enum direction direction) {
    atomic_fetch_add_explicit(&object_at(host)->floor[direction], 1, memory_order_relaxed);
}

static void host_reads(uintptr_t at, flags *known) {
    unsigned char was = atomic_load_explicit(known, memory_order_relaxed);
    if (!(was & HOST_STALE))
        return;
    int came_back = was & CAME_BACK && known[LEAF_SIZE] == *(unsigned char *)at;
    /* Of several threads that read it first, one counts. */
    if (atomic_compare_exchange_strong(known, &was, came_back ? DEVICE_CURRENT : 0) && came_back)
        need(at, FROM_DEVICE);
}

static void kernel_reads(uintptr_t at, flags *known) {
    unsigned char was = atomic_load_explicit(known, memory_order_relaxed);
    if (was & DEVICE_CURRENT)
        return;
    was = atomic_fetch_or(known, DEVICE_CURRENT);
    if (!(was & DEVICE_CURRENT) && was & CAME_UP)
        need(at, TO_DEVICE);
}

void accessed(uintptr_t address, size_t bytes, int stores) {
    if (!leaves)
        return;
    intptr_t in_host = host_of(address);
    int by_kernel = in_host != -1;
    uintptr_t host = by_kernel ? (uintptr_t)in_host : address;
    if (!host)
        return;
    for (uintptr_t at = host; at < host + bytes; at++) {
        flags *known = flags_of(at);
        if (!known)
            at |= LEAF_SIZE - 1;
        else if (stores)
            atomic_store_explicit(known, by_kernel ? HOST_STALE | DEVICE_CURRENT : 0, memory_order_relaxed);
        else if (by_kernel)
            kernel_reads(at, known);
        else
            host_reads(at, known);
    }
}

/* What the compiler calls. */
#define CALLED(bytes)                                                                             \
    EXPORT void __asan_load##bytes##_noabort(uintptr_t address) { accessed(address, bytes, 0); }  \
    EXPORT void __asan_store##bytes##_noabort(uintptr_t address) { accessed(address, bytes, 1); }
CALLED(1)
CALLED(2)
CALLED(4)
CALLED(8)
CALLED(16)

EXPORT void __asan_loadN_noabort(uintptr_t address, size_t bytes) { accessed(address, bytes, 0); }
EXPORT void __asan_storeN_noabort(uintptr_t address, size_t bytes) { accessed(address, bytes, 1); }
EXPORT void __asan_handle_no_return(void) {}

EXPORT void *__asan_memset(void *to, int value, size_t bytes) {
    accessed((uintptr_t)to, bytes, 1);
    return __builtin_memset(to, value, bytes);
}

EXPORT void *__asan_memcpy(void *to, const void *from, size_t bytes) {
    accessed((uintptr_t)from, bytes, 0);
    accessed((uintptr_t)to, bytes, 1);
    return __builtin_memcpy(to, from, bytes);
}

EXPORT void *__asan_memmove(void *to, const void *from, size_t bytes) {
    accessed((uintptr_t)from, bytes, 0);
    accessed((uintptr_t)to, bytes, 1);
    return __builtin_memmove(to, from, bytes);
}
