/* Stands between the program and the runtime's entry points for directives, which get the names of what they map. */
#include "trace.h"

#include <dlfcn.h>
#include <string.h>

/* Of what the runtime says of a list item, in the order of its parameters. */
enum { LITERAL = 0x100 };

/* A name comes as ";a[0:n];file.c;12;5;;". Subscripts at its end say which part, and are left off. */
static int name_length(const char *name) {
    const char *end = strchr(name, ';');
    int length = end ? (int)(end - name) : (int)strlen(name);
    while (length && name[length - 1] == ']') {
        int depth = 0, at = length;
        do {
            at--;
            depth += (name[at] == ']') - (name[at] == '[');
        } while (at && depth);
        if (!at)
            break;
        length = at;
    }
    return length;
}

static void note_items(int32_t count, void **pointers, int64_t *sizes, int64_t *types, void **names) {
    for (int32_t i = 0; names && i < count; i++) {
        const char *name = names[i];
        if (!name || *name++ != ';' || types[i] & LITERAL || sizes[i] <= 0 || !pointers[i])
            continue;
        int length = name_length(name);
        if (length && strncmp(name, "unknown;", 8))
            note_mapped((uintptr_t)pointers[i], (size_t)sizes[i], name, length);
    }
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define ON_DATA(name)                                                                                              \
    EXPORT void name(void *place, int64_t device, int32_t count, void **bases, void **pointers, int64_t *sizes,    \
                     int64_t *types, void **names, void **mappers) {                                               \
        static __typeof__(&name) real;                                                                             \
        if (!real)                                                                                                 \
            real = REAL(name);                                                                                     \
        note_items(count, pointers, sizes, types, names);                                                          \
        real(place, device, count, bases, pointers, sizes, types, names, mappers);                                 \
    }
ON_DATA(__tgt_target_data_begin_mapper)
ON_DATA(__tgt_target_data_end_mapper)
ON_DATA(__tgt_target_data_update_mapper)

#define ON_DATA_NOWAIT(name)                                                                                       \
    EXPORT void name(void *place, int64_t device, int32_t count, void **bases, void **pointers, int64_t *sizes,    \
                     int64_t *types, void **names, void **mappers, int32_t dependences, void *list,                \
                     int32_t others, void *other_list) {                                                           \
        static __typeof__(&name) real;                                                                             \
        if (!real)                                                                                                 \
            real = REAL(name);                                                                                     \
        note_items(count, pointers, sizes, types, names);                                                          \
        real(place, device, count, bases, pointers, sizes, types, names, mappers, dependences, list, others,       \
             other_list);                                                                                          \
    }
ON_DATA_NOWAIT(__tgt_target_data_begin_nowait_mapper)
ON_DATA_NOWAIT(__tgt_target_data_end_nowait_mapper)
ON_DATA_NOWAIT(__tgt_target_data_update_nowait_mapper)

/* The begin of what the runtime calls KernelArgsTy. */
struct kernel_arguments {
    uint32_t version, count;
    void **bases, **pointers;
    int64_t *sizes, *types;
    void **names, **mappers;
};

EXPORT int __tgt_target_kernel(void *place, int64_t device, int32_t teams, int32_t threads, void *kernel,
                               struct kernel_arguments *arguments) {
    static __typeof__(&__tgt_target_kernel) real;
    if (!real)
        real = REAL(__tgt_target_kernel);
    note_items((int32_t)arguments->count, arguments->pointers, arguments->sizes, arguments->types, arguments->names);
    return real(place, device, teams, threads, kernel, arguments);
}

EXPORT int __tgt_target_kernel_nowait(void *place, int64_t device, int32_t teams, int32_t threads, void *kernel,
                                      struct kernel_arguments *arguments, int32_t dependences, void *list, int32_t others,
                                      void *other_list) {
    static __typeof__(&__tgt_target_kernel_nowait) real;
    if (!real)
        real = REAL(__tgt_target_kernel_nowait);
    note_items((int32_t)arguments->count, arguments->pointers, arguments->sizes, arguments->types, arguments->names);
    return real(place, device, teams, threads, kernel, arguments, dependences, list, others, other_list);
}
