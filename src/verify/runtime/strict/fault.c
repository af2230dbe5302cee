/* An access to closed memory: a kernel's ends the program, a host thread's waits until no kernel runs. */
#include "strict.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define FAULT_STATUS 97

#define STACK_SCAN_PAGES 64

/* Whether the faulting thread is in device code: the innermost address on its stack that lies in a device image or in
 * the program decides. Reading through the system cannot fault at the end of the stack. */
static int fault_is_kernels(const ucontext_t *context) {
    uintptr_t words[PAGE / sizeof(uintptr_t)];
    uintptr_t instruction = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
    uintptr_t stack = (uintptr_t)context->uc_mcontext.gregs[REG_RSP] & ~7ul;
    if (of_image(instruction))
        return 1;
    if (of_program(instruction))
        return 0;
    for (int page = 0; page < STACK_SCAN_PAGES; page++) {
        size_t size = page_down(stack) + PAGE - stack;
        struct iovec to = {words, size}, from = {(void *)stack, size};
        if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != (ssize_t)size)
            break;
        for (size_t i = 0; i < size / sizeof *words; i++) {
            if (of_image(words[i]))
                return 1;
            if (of_program(words[i]))
                return 0;
        }
        stack += size;
    }
    return 1;
}

/* Kernels are named __omp_offloading_DEVICE_FILE_FUNCTION_lLINE. */
static void describe_kernel(char *out, size_t size, const char *symbol) {
    const char *function = symbol ? symbol + 17 : "";
    for (int skip = 0; skip < 2 && function; skip++)
        function = strchr(function, '_') ? strchr(function, '_') + 1 : NULL;
    const char *line = NULL;
    for (const char *at = function; at && (at = strstr(at, "_l")); at += 2)
        if (at[2] >= '0' && at[2] <= '9')
            line = at;
    if (line)
        snprintf(out, size, " in %.*s at line %d", (int)(line - function), function, atoi(line + 2));
    else
        snprintf(out, size, "%s", "");
}

static void on_fault(int signal, siginfo_t *info, void *context) {
    uintptr_t address = (uintptr_t)info->si_addr;
    const char *kind = NULL;
    if (in_arena(info->si_addr))
        kind = "heap";
    else if (in_any(globals, object_count, address))
        kind = "global";
    else if (holds(closed_stack, address))
        kind = "stack";
    if (!kind) {
        /* Not memory of ours: the access is repeated and ends the program as it would without this library. */
        struct sigaction plain = {.sa_handler = SIG_DFL};
        sigaction(signal, &plain, NULL);
        return;
    }
    if (atomic_load(&kernels_running) > 0 && fault_is_kernels(context)) {
        static atomic_flag reported = ATOMIC_FLAG_INIT;
        char where[256], message[512];
        if (atomic_flag_test_and_set(&reported))
            for (;;) /* another thread of the kernel is about to end the program */
                pause();
        describe_kernel(where, sizeof where, last_kernel);
        int length =
            snprintf(message, sizeof message, "ompmemopt-strict: kernel touched unmapped host memory at 0x%lx (%s)%s\n",
                     (unsigned long)address, kind, where);
        ssize_t ignored = write(2, message, (size_t)length);
        (void)ignored;
        _exit(FAULT_STATUS);
    }
    while (atomic_load(&kernels_running) > 0)
        nanosleep(&(struct timespec){0, 100000}, NULL);
}

void catch_faults(void) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, NULL);
}
