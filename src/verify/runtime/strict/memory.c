/* Closes the program's memory when the first kernel starts, opens it when the last one ends. */
#include "strict.h"

#include <pthread.h>
#include <sys/mman.h>

static pthread_mutex_t kernel_lock = PTHREAD_MUTEX_INITIALIZER;
atomic_int kernels_running;
static struct range closed_heap; /* as long as kernels run: what was in use when the first of them started */
struct range closed_stack;
const char *volatile last_kernel;

static void protect(struct range range, int protection) {
    if (range.high > range.low && mprotect((void *)range.low, range.high - range.low, protection))
        give_up("cannot change the protection of the program's memory");
}

void close_memory(struct lane *lane) {
    pthread_mutex_lock(&kernel_lock);
    last_kernel = lane->name;
    if (atomic_load(&kernels_running) == 0) {
        closed_heap = heap_in_use();
        protect(closed_heap, PROT_NONE);
        for (int i = 0; i < object_count; i++)
            protect(globals[i], PROT_NONE);
    }
    if (lane->closed.high > lane->closed.low) {
        closed_stack = lane->closed;
        protect(closed_stack, PROT_NONE);
    }
    atomic_fetch_add(&kernels_running, 1);
    pthread_mutex_unlock(&kernel_lock);
}

void open_memory(struct lane *lane) {
    pthread_mutex_lock(&kernel_lock);
    protect(lane->closed, PROT_READ | PROT_WRITE);
    if (atomic_load(&kernels_running) == 1) {
        protect(closed_heap, PROT_READ | PROT_WRITE);
        for (int i = 0; i < object_count; i++)
            protect(globals[i], PROT_READ | PROT_WRITE);
    }
    atomic_fetch_sub(&kernels_running, 1);
    pthread_mutex_unlock(&kernel_lock);
}
