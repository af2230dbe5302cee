/* The blocks of the heap that the program itself asks for, numbered as they come: two builds of one program ask alike. */
#include "trace.h"

#include <errno.h>
#include <pthread.h>
#include <search.h>
#include <stdlib.h>

static void *blocks; /* a search tree of struct block */
static uint64_t asked;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int inside __attribute__((tls_model("initial-exec"))); /* the tree allocates, too */

/* Blocks that have anything in common count as one. */
static int by_address(const void *a, const void *b) {
    const struct block *x = a, *y = b;
    return x->high <= y->low ? -1 : x->low >= y->high;
}

static void begin(void) {
    inside = 1;
    pthread_mutex_lock(&lock);
}

static void end(void) {
    pthread_mutex_unlock(&lock);
    inside = 0;
}

static void *noted(void *memory, size_t bytes, void *caller) {
    if (inside || !memory || !of_program((uintptr_t)caller))
        return memory;
    begin();
    struct block *block = __libc_malloc(sizeof *block);
    if (block) {
        *block = (struct block){(uintptr_t)memory, (uintptr_t)memory + (bytes ? bytes : 1), asked};
        struct block **at = tsearch(block, &blocks, by_address);
        if (at && *at != block) {
            **at = *block;
            __libc_free(block);
        }
    }
    asked++;
    end();
    return memory;
}

static void forget(void *memory) {
    if (inside || !memory)
        return;
    begin();
    struct block wanted = {(uintptr_t)memory, (uintptr_t)memory + 1, 0};
    struct block **at = tfind(&wanted, &blocks, by_address);
    if (at && (*at)->low == (uintptr_t)memory) {
        struct block *block = *at;
        forget_block(block->low, block->high);
        tdelete(block, &blocks, by_address);
        __libc_free(block);
    }
    end();
}

int block_at(uintptr_t address, struct block *found) {
    begin();
    struct block wanted = {address, address + 1, 0};
    struct block **at = tfind(&wanted, &blocks, by_address);
    if (at)
        *found = **at;
    end();
    return at != NULL;
}

#define CALLER __builtin_return_address(0)

EXPORT void *malloc(size_t bytes) { return noted(__libc_malloc(bytes), bytes, CALLER); }
EXPORT void *calloc(size_t count, size_t each) { return noted(__libc_calloc(count, each), count * each, CALLER); }

EXPORT void free(void *memory) {
    forget(memory);
    __libc_free(memory);
}

EXPORT void *realloc(void *memory, size_t bytes) {
    forget(memory);
    return noted(__libc_realloc(memory, bytes), bytes, CALLER);
}

EXPORT void *memalign(size_t alignment, size_t bytes) { return noted(__libc_memalign(alignment, bytes), bytes, CALLER); }
EXPORT void *aligned_alloc(size_t alignment, size_t bytes) { return noted(__libc_memalign(alignment, bytes), bytes, CALLER); }

EXPORT int posix_memalign(void **result, size_t alignment, size_t bytes) {
    if (alignment % sizeof(void *) || !alignment || (alignment & (alignment - 1)))
        return EINVAL;
    int saved = errno;
    void *memory = __libc_memalign(alignment, bytes);
    errno = saved;
    if (!memory)
        return ENOMEM;
    *result = noted(memory, bytes, CALLER);
    return 0;
}
