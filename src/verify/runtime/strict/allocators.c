/* The allocating functions of the C library, as the program sees them: what it asks for comes from the arena, what
 * others ask for from the C library. Who asks is told by the return address. */
#include "strict.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Set while the C library allocates on the program's behalf (strdup and the like). */
static __thread int for_program __attribute__((tls_model("initial-exec")));

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

EXPORT void *valloc(size_t size) { return ASKED_BY_PROGRAM ? allocate(size, PAGE, 0) : __libc_memalign(PAGE, size); }

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
        return allocated_size(p);
    if (!real)
        real = (size_t (*)(void *))dlvsym(RTLD_NEXT, "malloc_usable_size", "GLIBC_2.2.5");
    return real(p);
}

/* Library functions that hand the program a block to free: the block is the program's. */
#define REAL(name) ((__typeof__(&name))dlvsym(RTLD_NEXT, #name, "GLIBC_2.2.5"))

#define ON_BEHALF(type, name, parameters, arguments)                       \
    EXPORT type name parameters {                                          \
        static __typeof__(&name) real;                                     \
        int saved = for_program;                                           \
        if (!real)                                                         \
            real = REAL(name);                                             \
        for_program |= of_program((uintptr_t)__builtin_return_address(0)); \
        type result = real arguments;                                      \
        for_program = saved;                                               \
        return result;                                                     \
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
