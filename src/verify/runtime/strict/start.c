/* The start of the library, before the program's, and of the program's main. */
#include "strict.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

_Noreturn void give_up(const char *what) {
    dprintf(2, "ompmemopt-strict: %s\n", what);
    _exit(SETUP_STATUS);
}

typedef int main_function(int, char **, char **);
typedef int start_main(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
static main_function *real_main;
static uintptr_t main_stack_top; /* page boundary above main's frame, below the frames that started it */
static pthread_t main_thread;

uintptr_t program_stack_top(void) { return pthread_equal(pthread_self(), main_thread) ? main_stack_top : 0; }

/* Leaves a page boundary between main's frame and whatever lies above: the environment, which libraries read. */
static int padded_main(int argc, char **argv, char **environment) {
    char padding[2 * PAGE];
    __asm__ volatile("" : : "r"(padding) : "memory");
    main_thread = pthread_self();
    main_stack_top = page_up((uintptr_t)padding);
    int status = real_main(argc, argv, environment);
    __asm__ volatile("" : : "r"(padding) : "memory");
    return status;
}

EXPORT int __libc_start_main(main_function *function, int argc, char **argv, void (*init)(void), void (*fini)(void),
                             void (*linker_fini)(void), void *stack_end) {
    start_main *real = (start_main *)dlvsym(RTLD_NEXT, "__libc_start_main", "GLIBC_2.34");
    if (!real)
        real = (start_main *)dlvsym(RTLD_NEXT, "__libc_start_main", "GLIBC_2.2.5");
    if (!real)
        give_up("cannot find the C library's start");
    real_main = function;
    return real(padded_main, argc, argv, init, fini, linker_fini, stack_end);
}

__attribute__((constructor)) static void set_up(void) {
    find_program();
    find_dlsym();
    catch_faults();
    start_heap();
}
