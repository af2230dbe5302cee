/* The program's heap: size classes, four to each power of two, with free lists in the free blocks. All of it lies in
 * one arena, so that it can be closed at once. */
#include "strict.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct header {
    size_t size;     /* what was asked for */
    uint32_t class;  /* index of the size class of the block */
    uint32_t offset; /* from the start of the block to the user's pointer */
};

#define CLASSES 160
#define GIVE_BACK (128ul << 10) /* free blocks at least this big return their pages to the system */

char *arena;
static atomic_size_t arena_used;
static void *free_blocks[CLASSES];
static pthread_mutex_t heap_lock = PTHREAD_MUTEX_INITIALIZER;
static int fill = -1;

int in_arena(const void *p) { return arena && (char *)p >= arena && (char *)p < arena + ARENA_SIZE; }

static struct header *header_of(void *p) { return (struct header *)p - 1; }

static size_t class_size(uint32_t class) { return (4ul + class % 4) << (class / 4 + 4); }

static uint32_t class_for(size_t size) {
    uint32_t class = 0;
    if (size > 64) {
        int top = 63 - __builtin_clzl(size - 1);
        class = 4 * (uint32_t)(top - 6) + (uint32_t)(((size - 1) >> (top - 2)) & 3);
        while (class_size(class) < size)
            class ++;
    }
    return class;
}

void *allocate(size_t size, size_t alignment, int zero) {
    if (alignment < 16)
        alignment = 16;
    if (size > ARENA_SIZE || alignment > ARENA_SIZE || (alignment & (alignment - 1))) {
        errno = alignment & (alignment - 1) ? EINVAL : ENOMEM;
        return NULL;
    }
    uint32_t class = class_for(size + alignment + sizeof(struct header));
    size_t block_size = class_size(class);
    pthread_mutex_lock(&heap_lock);
    char *block = free_blocks[class];
    int fresh = !block;
    if (block) {
        free_blocks[class] = *(void **)block;
    } else {
        size_t used = atomic_load(&arena_used);
        if (block_size > ARENA_SIZE - used) {
            pthread_mutex_unlock(&heap_lock);
            errno = ENOMEM;
            return NULL;
        }
        block = arena + used;
        atomic_store(&arena_used, used + block_size);
    }
    pthread_mutex_unlock(&heap_lock);
    uintptr_t start = (uintptr_t)block + sizeof(struct header);
    char *p = (char *)((start + alignment - 1) & ~(alignment - 1));
    *header_of(p) = (struct header){size, class, (uint32_t)(p - block)};
    if (zero && !fresh)
        memset(p, 0, size);
    else if (!zero && fill >= 0)
        memset(p, fill, size);
    return p;
}

void release(void *p) {
    struct header header = *header_of(p);
    char *block = (char *)p - header.offset;
    size_t size = class_size(header.class);
    if (size >= GIVE_BACK) {
        uintptr_t low = page_up((uintptr_t)block + sizeof(void *)), high = page_down((uintptr_t)block + size);
        int saved = errno;
        madvise((void *)low, high - low, MADV_DONTNEED);
        errno = saved;
    } else if (fill >= 0) {
        memset(p, fill ^ 0xff, header.size);
    }
    pthread_mutex_lock(&heap_lock);
    *(void **)block = free_blocks[header.class];
    free_blocks[header.class] = block;
    pthread_mutex_unlock(&heap_lock);
}

void *resize(void *p, size_t size) {
    if (p && size == 0) {
        release(p);
        return NULL;
    }
    void *moved = allocate(size, 16, 0);
    if (moved && p) {
        size_t before = header_of(p)->size;
        memcpy(moved, p, before < size ? before : size);
        release(p);
    }
    return moved;
}

size_t allocated_size(void *p) { return header_of(p)->size; }

struct range heap_in_use(void) {
    return (struct range){(uintptr_t)arena, page_up((uintptr_t)arena + atomic_load(&arena_used))};
}

void start_heap(void) {
    const char *byte = getenv("OMPMEMOPT_STRICT_FILL");
    if (byte)
        fill = atoi(byte) & 0xff;
    void *memory = mmap(NULL, ARENA_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        give_up("cannot reserve address space for the program's heap");
    arena = memory;
}
