/* strict: a preload library that gives the host offload plugin a device memory of its own.
 *
 * LLVM's host plugin allocates "device" memory apart, and copies to and from it, but its kernels run in the program's own
 * address space: a kernel that dereferences a host pointer nobody mapped works by accident, where a GPU would fault. With
 * this library loaded, the program's memory is inaccessible while a kernel runs:
 *
 *   - its heap: what the program allocates comes from an arena of ours (also through strdup, getline, asprintf, ...);
 *   - its globals: the writable, not relocation-only pages of the executable and of shared objects next to it;
 *   - the stack of its main thread: kernels run on a stack of their own, so the program's can be closed whole.
 *
 * A kernel that touches any of it ends the program with status 97 and one line on standard error:
 *
 *     ompmemopt-strict: kernel touched unmapped host memory at 0x7f0123456780 (heap) in main at line 12
 *
 * How: the plugin finds kernels with dlsym. Ours hands out, for a kernel, a small piece of code made for it that switches
 * to the lane (stack) of the calling thread, closes the memory, calls the kernel, and opens the memory again.
 *
 * Kernels may run while other host threads go on. A fault is the kernel's if the faulting thread has device code nearer on
 * its stack than host code; a host thread that faults simply waits until no kernel runs.
 *
 * OMPMEMOPT_STRICT_FILL=BYTE (decimal) fills fresh heap blocks with that byte, as MALLOC_PERTURB_ does for malloc's own.
 *
 * Not protected: memory from mmap or omp_alloc, stacks of further host threads, read-only data, and blocks that libraries
 * allocate on their own behalf. A system call that another host thread makes on closed memory returns EFAULT instead of
 * waiting. x86-64 and glibc only, which is what the host plugin's target triple says.
 */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* the headers must not define inline what is defined here */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#if !defined(__x86_64__) || !defined(__GLIBC__)
#error "strict needs x86-64 and glibc"
#endif

#define PAGE 4096ul
#define EXPORT __attribute__((visibility("default")))
#define FAULT_STATUS 97
#define SETUP_STATUS 98

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static uintptr_t page_down(uintptr_t address) { return address & ~(PAGE - 1); }
static uintptr_t page_up(uintptr_t address) { return page_down(address + PAGE - 1); }

static _Noreturn void give_up(const char *what) {
    dprintf(2, "ompmemopt-strict: %s\n", what);
    _exit(SETUP_STATUS);
}

/* ---- What belongs to the program ------------------------------------------------------------------------------------ */

struct range {
    uintptr_t low, high;
};

static int holds(struct range range, uintptr_t address) { return address >= range.low && address < range.high; }

#define MOST_OBJECTS 32
static struct range program[MOST_OBJECTS]; /* the executable, and shared objects in its folder: whole */
static struct range globals[MOST_OBJECTS]; /* the writable part of each */
static int object_count;
static struct range images[MOST_OBJECTS]; /* device images that kernels were found in */
static atomic_int image_count;

static int in_any(const struct range *ranges, int count, uintptr_t address) {
    for (int i = 0; i < count; i++)
        if (holds(ranges[i], address))
            return 1;
    return 0;
}

static int of_program(uintptr_t address) { return in_any(program, object_count, address); }

static struct range extent(const struct dl_phdr_info *info) {
    struct range whole = {UINTPTR_MAX, 0};
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD)
            continue;
        uintptr_t low = info->dlpi_addr + part->p_vaddr, high = low + part->p_memsz;
        whole.low = low < whole.low ? low : whole.low;
        whole.high = high > whole.high ? high : whole.high;
    }
    return whole;
}

/* Pages that stay writable after start-up. The loader seals the part named by PT_GNU_RELRO, which holds what the dynamic
 * linker and the runtime read at any time, and no data of the program. */
static struct range writable(const struct dl_phdr_info *info) {
    struct range part = {0, 0};
    uintptr_t sealed = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uintptr_t low = info->dlpi_addr + header->p_vaddr, high = low + header->p_memsz;
        if (header->p_type == PT_GNU_RELRO)
            sealed = page_up(high);
        if (header->p_type == PT_LOAD && (header->p_flags & PF_W)) {
            part.low = page_down(low);
            part.high = page_up(high);
        }
    }
    if (sealed > part.low)
        part.low = sealed;
    if (part.low > part.high)
        part.low = part.high;
    return part;
}

static char program_folder[PATH_MAX];

static int note_object(struct dl_phdr_info *info, size_t size, void *seen) {
    (void)size;
    int first = (*(int *)seen)++ == 0;
    const char *slash = strrchr(info->dlpi_name, '/');
    size_t length = strlen(program_folder);
    int beside = slash && length && (size_t)(slash - info->dlpi_name) == length &&
                 !strncmp(info->dlpi_name, program_folder, length);
    struct range whole = extent(info);
    int ourselves = holds(whole, (uintptr_t)program);
    if ((first || beside) && !ourselves && object_count < MOST_OBJECTS) {
        program[object_count] = whole;
        globals[object_count] = writable(info);
        object_count++;
    }
    return 0;
}

static int note_image(struct dl_phdr_info *info, size_t size, void *wanted) {
    (void)size;
    struct range whole = extent(info);
    if (!holds(whole, (uintptr_t)wanted))
        return 0;
    int known = atomic_load(&image_count);
    if (!in_any(images, known, whole.low) && known < MOST_OBJECTS) {
        images[known] = whole;
        atomic_store(&image_count, known + 1);
    }
    return 1;
}

/* ---- The heap: size classes, four to each power of two, free lists in the free blocks ------------------------------- */

struct header {
    size_t size;      /* what was asked for */
    uint32_t class;   /* index of the size class of the block */
    uint32_t offset;  /* from the start of the block to the user's pointer */
};

#define ARENA_SIZE (16ul << 30)
#define CLASSES 160
#define GIVE_BACK (128ul << 10) /* free blocks at least this big return their pages to the system */

static char *arena;
static atomic_size_t arena_used;
static void *free_blocks[CLASSES];
static pthread_mutex_t heap_lock = PTHREAD_MUTEX_INITIALIZER;
static int fill = -1;
/* Set while libc allocates on the program's behalf (strdup and the like). */
static __thread int for_program __attribute__((tls_model("initial-exec")));

static int in_arena(const void *p) { return arena && (char *)p >= arena && (char *)p < arena + ARENA_SIZE; }

static struct header *header_of(void *p) { return (struct header *)p - 1; }

static size_t class_size(uint32_t class) { return (4ul + class % 4) << (class / 4 + 4); }

static uint32_t class_for(size_t size) {
    uint32_t class = 0;
    if (size > 64) {
        int top = 63 - __builtin_clzl(size - 1);
        class = 4 * (uint32_t)(top - 6) + (uint32_t)(((size - 1) >> (top - 2)) & 3);
        while (class_size(class) < size)
            class++;
    }
    return class;
}

static void *allocate(size_t size, size_t alignment, int zero) {
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

static void release(void *p) {
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

#define ASKED_BY_PROGRAM (arena && (for_program || of_program((uintptr_t)__builtin_return_address(0))))

EXPORT void *malloc(size_t size) { return ASKED_BY_PROGRAM ? allocate(size, 16, 0) : __libc_malloc(size); }

EXPORT void *calloc(size_t count, size_t each) {
    size_t size;
    if (!ASKED_BY_PROGRAM)
        return __libc_calloc(count, each);
    if (__builtin_mul_overflow(count, each, &size)) {
        errno = ENOMEM;
        return NULL;
    }
    return allocate(size, 16, 1);
}

EXPORT void free(void *p) {
    if (in_arena(p))
        release(p);
    else
        __libc_free(p);
}

static void *resize(void *p, size_t size) {
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

EXPORT void *realloc(void *p, size_t size) {
    if (p ? in_arena(p) : ASKED_BY_PROGRAM)
        return resize(p, size);
    return __libc_realloc(p, size);
}

EXPORT void *reallocarray(void *p, size_t count, size_t each) {
    size_t size;
    if (__builtin_mul_overflow(count, each, &size)) {
        errno = ENOMEM;
        return NULL;
    }
    if (p ? in_arena(p) : ASKED_BY_PROGRAM)
        return resize(p, size);
    return __libc_realloc(p, size);
}

EXPORT void *memalign(size_t alignment, size_t size) {
    return ASKED_BY_PROGRAM ? allocate(size, alignment, 0) : __libc_memalign(alignment, size);
}

EXPORT void *aligned_alloc(size_t alignment, size_t size) {
    return ASKED_BY_PROGRAM ? allocate(size, alignment, 0) : __libc_memalign(alignment, size);
}

EXPORT void *valloc(size_t size) {
    return ASKED_BY_PROGRAM ? allocate(size, PAGE, 0) : __libc_memalign(PAGE, size);
}

EXPORT int posix_memalign(void **result, size_t alignment, size_t size) {
    int saved = errno;
    if (alignment % sizeof(void *) || !alignment || (alignment & (alignment - 1)))
        return EINVAL;
    void *p = ASKED_BY_PROGRAM ? allocate(size, alignment, 0) : __libc_memalign(alignment, size);
    errno = saved;
    if (!p)
        return ENOMEM;
    *result = p;
    return 0;
}

EXPORT size_t malloc_usable_size(void *p) {
    static size_t (*real)(void *);
    if (!p)
        return 0;
    if (in_arena(p))
        return header_of(p)->size;
    if (!real)
        real = (size_t (*)(void *))dlvsym(RTLD_NEXT, "malloc_usable_size", "GLIBC_2.2.5");
    return real(p);
}

/* Library functions that hand the program a block to free: the block is the program's. */
#define REAL(name) ((__typeof__(&name))dlvsym(RTLD_NEXT, #name, "GLIBC_2.2.5"))

#define ON_BEHALF(type, name, parameters, arguments)                                                                   \
    EXPORT type name parameters {                                                                                      \
        static __typeof__(&name) real;                                                                                 \
        int saved = for_program;                                                                                       \
        if (!real)                                                                                                     \
            real = REAL(name);                                                                                         \
        for_program |= of_program((uintptr_t)__builtin_return_address(0));                                             \
        type result = real arguments;                                                                                  \
        for_program = saved;                                                                                           \
        return result;                                                                                                 \
    }

#undef strdup
#undef strndup
ON_BEHALF(char *, strdup, (const char *text), (text))
ON_BEHALF(char *, __strdup, (const char *text), (text))
ON_BEHALF(char *, strndup, (const char *text, size_t most), (text, most))
ON_BEHALF(ssize_t, getline, (char **line, size_t *size, FILE *in), (line, size, in))
extern ssize_t __getdelim(char **, size_t *, int, FILE *); /* what the headers turn getline into */
ON_BEHALF(ssize_t, __getdelim, (char **line, size_t *size, int end, FILE *in), (line, size, end, in))
ON_BEHALF(ssize_t, getdelim, (char **line, size_t *size, int end, FILE *in), (line, size, end, in))
ON_BEHALF(int, vasprintf, (char **text, const char *format, va_list arguments), (text, format, arguments))
ON_BEHALF(char *, getcwd, (char *text, size_t size), (text, size))

EXPORT int asprintf(char **text, const char *format, ...) {
    static __typeof__(&vasprintf) real;
    va_list arguments;
    int saved = for_program;
    if (!real)
        real = REAL(vasprintf);
    for_program |= of_program((uintptr_t)__builtin_return_address(0));
    va_start(arguments, format);
    int result = real(text, format, arguments);
    va_end(arguments);
    for_program = saved;
    return result;
}

/* ---- Closing and opening memory ------------------------------------------------------------------------------------- */

#define LANE_SIZE (64ul << 20)
#define MOST_STACK_ARGUMENTS 4096ul

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

static __thread struct lane *my_lane __attribute__((tls_model("initial-exec")));

static uintptr_t main_stack_top; /* page boundary above main's frame, below the frames that started it */
static pthread_t main_thread;
static pthread_mutex_t kernel_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int kernels_running;
static struct range closed_heap; /* as long as kernels run: what was in use when the first of them started */
static struct range closed_stack;
static const char *volatile last_kernel;

static void protect(struct range range, int protection) {
    if (range.high > range.low && mprotect((void *)range.low, range.high - range.low, protection))
        give_up("cannot change the protection of the program's memory");
}

__attribute__((used)) static void close_memory(struct lane *lane) {
    pthread_mutex_lock(&kernel_lock);
    last_kernel = lane->name;
    if (atomic_load(&kernels_running) == 0) {
        closed_heap = (struct range){(uintptr_t)arena, page_up((uintptr_t)arena + atomic_load(&arena_used))};
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

__attribute__((used)) static void open_memory(struct lane *lane) {
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

/* ---- Launching a kernel --------------------------------------------------------------------------------------------- */

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

/* Called by the trampoline on the host's stack: copies the arguments of the launch to the lane. How many arguments lie on
 * the stack is not known here, so all that may be arguments is copied. */
__attribute__((used)) static struct lane *prepare(struct kernel *kernel, uintptr_t arguments, uintptr_t *registers) {
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
    if (main_stack_top && pthread_equal(pthread_self(), main_thread))
        lane->closed = (struct range){page_down((uintptr_t)__builtin_frame_address(0)), main_stack_top};
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
        dl_iterate_phdr(note_image, (void *)address);
    }
    pthread_mutex_unlock(&kernels_lock);
    return kernel->entry;
}

typedef void *lookup(void *, const char *);
static lookup *real_dlsym;

static void find_dlsym(void) {
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
    if (handle == RTLD_NEXT || handle == RTLD_DEFAULT || strncmp(name, "__omp_offloading_", 17))
        __attribute__((musttail)) return real_dlsym(handle, name);
    return find_in_image(handle, name);
}

/* ---- Faults --------------------------------------------------------------------------------------------------------- */

#define STACK_SCAN_PAGES 64

/* Whether the faulting thread is in device code: the innermost address on its stack that lies in a device image or in the
 * program decides. Reading through the system cannot fault at the end of the stack. */
static int fault_is_kernels(const ucontext_t *context) {
    uintptr_t words[PAGE / sizeof(uintptr_t)];
    uintptr_t instruction = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
    uintptr_t stack = (uintptr_t)context->uc_mcontext.gregs[REG_RSP] & ~7ul;
    int known = atomic_load(&image_count);
    if (in_any(images, known, instruction))
        return 1;
    if (of_program(instruction))
        return 0;
    for (int page = 0; page < STACK_SCAN_PAGES; page++) {
        size_t size = page_down(stack) + PAGE - stack;
        struct iovec to = {words, size}, from = {(void *)stack, size};
        if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != (ssize_t)size)
            break;
        for (size_t i = 0; i < size / sizeof *words; i++) {
            if (in_any(images, known, words[i]))
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

/* ---- Start ---------------------------------------------------------------------------------------------------------- */

typedef int main_function(int, char **, char **);
typedef int start_main(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
static main_function *real_main;

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
    const char *byte = getenv("OMPMEMOPT_STRICT_FILL");
    if (byte)
        fill = atoi(byte) & 0xff;
    ssize_t length = readlink("/proc/self/exe", program_folder, sizeof program_folder - 1);
    if (length > 0) {
        char *slash = strrchr(program_folder, '/');
        *(slash ? slash : program_folder) = 0;
    }
    int seen = 0;
    dl_iterate_phdr(note_object, &seen);
    if (!real_dlsym)
        find_dlsym();
    void *memory =
        mmap(NULL, ARENA_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        give_up("cannot reserve address space for the program's heap");
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, NULL);
    arena = memory;
}
