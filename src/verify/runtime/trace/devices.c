/* Device memory that stands for host memory: blocks in the order of their addresses. Kernels ask for each access, so that
 * each thread remembers the block that it found last. */
#include "trace.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct device_block {
    uintptr_t low, high;
    uintptr_t host; /* 0: no host memory belongs to it */
};

static struct device_block *blocks;
static size_t count, capacity;
static atomic_ulong version = 1;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

/* The first block that ends behind an address. */
static size_t position(uintptr_t address) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (blocks[middle].high <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void remove_at(size_t at) {
    memmove(&blocks[at], &blocks[at + 1], (--count - at) * sizeof *blocks);
}

void note_device_block(uintptr_t device, uintptr_t host, size_t bytes) {
    if (!device || !bytes)
        return;
    pthread_rwlock_wrlock(&lock);
    size_t at = position(device);
    if (at < count && blocks[at].low <= device && device + bytes <= blocks[at].high) {
        /* The runtime lets some blocks begin before what they stand for: copies tell. */
        blocks[at].host = host ? host - (device - blocks[at].low) : blocks[at].host;
    } else {
        while (at < count && blocks[at].low < device + bytes)
            remove_at(at);
        if (count == capacity) {
            capacity = capacity ? 2 * capacity : 64;
            struct device_block *grown = __libc_realloc(blocks, capacity * sizeof *blocks);
            if (!grown)
                abort();
            blocks = grown;
        }
        memmove(&blocks[at + 1], &blocks[at], (count++ - at) * sizeof *blocks);
        blocks[at] = (struct device_block){device, device + bytes, host};
    }
    atomic_fetch_add(&version, 1);
    pthread_rwlock_unlock(&lock);
}

void forget_device_block(uintptr_t device) {
    pthread_rwlock_wrlock(&lock);
    size_t at = position(device);
    if (at < count && blocks[at].low <= device)
        remove_at(at);
    atomic_fetch_add(&version, 1);
    pthread_rwlock_unlock(&lock);
}

int has_device_block(uintptr_t host) {
    int found = 0;
    pthread_rwlock_rdlock(&lock);
    for (size_t i = 0; i < count && !found; i++)
        found = blocks[i].host && host >= blocks[i].host && host - blocks[i].host < blocks[i].high - blocks[i].low;
    pthread_rwlock_unlock(&lock);
    return found;
}

intptr_t host_of(uintptr_t address) {
    /* What lies around an address that was asked for: a block, or what is between two. */
    static __thread struct device_block last;
    static __thread unsigned long seen;
    unsigned long now = atomic_load(&version);
    if (seen != now || address < last.low || address >= last.high) {
        pthread_rwlock_rdlock(&lock);
        seen = atomic_load(&version);
        size_t at = position(address);
        if (at < count && blocks[at].low <= address)
            last = blocks[at];
        else
            last = (struct device_block){at ? blocks[at - 1].high : 0, at < count ? blocks[at].low : UINTPTR_MAX,
                                         UINTPTR_MAX};
        pthread_rwlock_unlock(&lock);
    }
    if (last.host == UINTPTR_MAX)
        return -1;
    return last.host ? (intptr_t)(last.host + (address - last.low)) : 0;
}
