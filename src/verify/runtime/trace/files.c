/* Functions of the C library that read and write whole arrays. */
#include "trace.h"

#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define ASKED_BY_PROGRAM of_program((uintptr_t)__builtin_return_address(0))

EXPORT size_t fread(void *to, size_t each, size_t count, FILE *in) {
    static __typeof__(&fread) real;
    if (!real)
        real = REAL(fread);
    size_t got = real(to, each, count, in);
    if (ASKED_BY_PROGRAM)
        accessed((uintptr_t)to, got * each, 1);
    return got;
}

EXPORT size_t fwrite(const void *from, size_t each, size_t count, FILE *out) {
    static __typeof__(&fwrite) real;
    if (!real)
        real = REAL(fwrite);
    size_t put = real(from, each, count, out);
    if (ASKED_BY_PROGRAM)
        accessed((uintptr_t)from, put * each, 0);
    return put;
}

EXPORT ssize_t read(int in, void *to, size_t bytes) {
    static __typeof__(&read) real;
    if (!real)
        real = REAL(read);
    ssize_t got = real(in, to, bytes);
    if (got > 0 && ASKED_BY_PROGRAM)
        accessed((uintptr_t)to, (size_t)got, 1);
    return got;
}

EXPORT ssize_t write(int out, const void *from, size_t bytes) {
    static __typeof__(&write) real;
    if (!real)
        real = REAL(write);
    ssize_t put = real(out, from, bytes);
    if (put > 0 && ASKED_BY_PROGRAM)
        accessed((uintptr_t)from, (size_t)put, 0);
    return put;
}
