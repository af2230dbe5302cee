/* Stands between the offload plugin and each kernel: dlsym hands out code of ours in a kernel's place, which moves to a
 * stack of its own, closes the memory, calls the kernel and opens the memory again. */
#include "strict.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LANE_SIZE (64ul << 20)
#define MOST_STACK_ARGUMENTS 4096ul

static __thread struct lane *my_lane __attribute__((tls_model("initial-exec")));

struct kernel {
    uintptr_t address;
    const char *name;
    void *entry; /* the code that dlsym hands out in its place */
    struct kernel *next;
};

static struct lane *new_lane(void) {
    char *memory = mmap(NULL, LANE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    struct lane *lane = __libc_calloc(1, sizeof *lane);
    pthread_attr_t attributes;
    void *low = NULL;
    size_t size = 0;
    if (memory == MAP_FAILED || !lane || mprotect(memory, PAGE, PROT_NONE))
        give_up("cannot make a stack for kernels");
    if (pthread_getattr_np(pthread_self(), &attributes) || pthread_attr_getstack(&attributes, &low, &size))
        give_up("cannot find the stack of a thread");
    pthread_attr_destroy(&attributes);
    lane->memory = (struct range){(uintptr_t)memory, (uintptr_t)memory + LANE_SIZE};
    lane->host_top = (uintptr_t)low + size;
    return lane;
}

/* Called by the trampoline on the host's stack: copies the arguments of the launch to the lane. How many arguments lie
 * on the stack is not known here, so all that may be arguments is copied. */
struct lane *prepare(struct kernel *kernel, uintptr_t arguments, uintptr_t *registers) {
    struct lane *lane = my_lane ? my_lane : (my_lane = new_lane());
    size_t size = lane->host_top > arguments ? lane->host_top - arguments : 0;
    if (size > MOST_STACK_ARGUMENTS)
        size = MOST_STACK_ARGUMENTS;
    memcpy(lane->registers, registers, sizeof lane->registers);
    lane->stack = lane->memory.high - MOST_STACK_ARGUMENTS - PAGE;
    memcpy((void *)lane->stack, (void *)arguments, size);
    lane->kernel = kernel->address;
    lane->name = kernel->name;
    lane->closed = (struct range){0, 0};
    if (program_stack_top())
        lane->closed = (struct range){page_down((uintptr_t)__builtin_frame_address(0)), program_stack_top()};
    return lane;
}

/* Entered with the kernel's arguments in place and r11 = its struct kernel. r12 and rbx outlive the kernel's call. */
extern char strict_trampoline[] __attribute__((visibility("hidden")));
__asm__(".text\n"
        ".p2align 4\n"
        ".hidden strict_trampoline\n"
        ".globl strict_trampoline\n"
        ".type strict_trampoline, @function\n"
        "strict_trampoline:\n"
        "  push %rbp\n"
        "  mov %rsp, %rbp\n"
        "  push %rbx\n"
        "  push %r12\n"
        "  sub $48, %rsp\n"
        "  mov %rdi, 0(%rsp)\n"
        "  mov %rsi, 8(%rsp)\n"
        "  mov %rdx, 16(%rsp)\n"
        "  mov %rcx, 24(%rsp)\n"
        "  mov %r8, 32(%rsp)\n"
        "  mov %r9, 40(%rsp)\n"
        "  mov %r11, %rdi\n"
        "  lea 16(%rbp), %rsi\n"
        "  mov %rsp, %rdx\n"
        "  call prepare\n"
        "  mov %rax, %rbx\n"
        "  mov %rsp, %r12\n"
        "  mov 48(%rbx), %rsp\n"
        "  mov %rbx, %rdi\n"
        "  call close_memory\n"
        "  mov 0(%rbx), %rdi\n"
        "  mov 8(%rbx), %rsi\n"
        "  mov 16(%rbx), %rdx\n"
        "  mov 24(%rbx), %rcx\n"
        "  mov 32(%rbx), %r8\n"
        "  mov 40(%rbx), %r9\n"
        "  call *56(%rbx)\n"
        "  mov %rbx, %rdi\n"
        "  call open_memory\n"
        "  mov %r12, %rsp\n"
        "  add $48, %rsp\n"
        "  pop %r12\n"
        "  pop %rbx\n"
        "  pop %rbp\n"
        "  ret\n"
        ".size strict_trampoline, .-strict_trampoline\n");

_Static_assert(offsetof(struct lane, stack) == 48 && offsetof(struct lane, kernel) == 56, "the trampoline's offsets");

static struct kernel *kernels;
static pthread_mutex_t kernels_lock = PTHREAD_MUTEX_INITIALIZER;

/* A page of code: movabs $kernel, %r11; movabs $strict_trampoline, %rax; jmp *%rax. */
static void *make_entry(struct kernel *kernel) {
    unsigned char *code = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code == MAP_FAILED)
        give_up("cannot make code for a kernel");
    void *target = strict_trampoline;
    memcpy(code, "\x49\xbb", 2);
    memcpy(code + 2, &kernel, 8);
    memcpy(code + 10, "\x48\xb8", 2);
    memcpy(code + 12, &target, 8);
    memcpy(code + 20, "\xff\xe0", 2);
    if (mprotect(code, PAGE, PROT_READ | PROT_EXEC))
        give_up("cannot make code for a kernel");
    return code;
}

static void *entry_of(uintptr_t address, const char *name) {
    pthread_mutex_lock(&kernels_lock);
    struct kernel *kernel = kernels;
    while (kernel && kernel->address != address)
        kernel = kernel->next;
    if (!kernel) {
        kernel = __libc_calloc(1, sizeof *kernel);
        if (!kernel)
            give_up("out of memory");
        kernel->address = address;
        kernel->name = name;
        kernel->entry = make_entry(kernel);
        kernel->next = kernels;
        kernels = kernel;
        note_image_of(address);
    }
    pthread_mutex_unlock(&kernels_lock);
    return kernel->entry;
}

typedef void *lookup(void *, const char *);
static lookup *real_dlsym;

void find_dlsym(void) {
    real_dlsym = (lookup *)dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
    if (!real_dlsym)
        real_dlsym = (lookup *)dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
    if (!real_dlsym)
        give_up("cannot find the C library's dlsym");
}

/* Kernels are the functions, not the data, whose names begin so. */
static __attribute__((noinline)) void *find_in_image(void *handle, const char *name) {
    void *found = real_dlsym(handle, name);
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;
    if (!found || !dladdr1(found, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol)
        return found;
    if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || (uintptr_t)info.dli_saddr != (uintptr_t)found)
        return found;
    return entry_of((uintptr_t)found, info.dli_sname);
}

/* The C library's dlsym looks at its caller for RTLD_NEXT, so other lookups must reach it as a jump. */
EXPORT void *dlsym(void *handle, const char *name) {
    if (!real_dlsym)
        find_dlsym();
    if (handle == RTLD_NEXT || handle == RTLD_DEFAULT || strncmp(name, "__omp_offloading_", 17)) __attribute__
        ((musttail)) return real_dlsym(handle, name);
    return find_in_image(handle, name);
}
