/* trace: a library linked into a program to learn which of its arrays move how much, and how much has to move.
 *
 * The program is compiled so that each load and each store, of host code and of kernels, calls a function of ours with
 * the address (clang's -fsanitize=kernel-address, every check as a call), and so that directives carry the names of what
 * they map (-gline-tables-only). When the OpenMP runtime finishes, the file named by OMPMEMOPT_TRACE gets
 *
 *     {"objects":[{"place":"heap 3","names":["u","grid"],"h2d_bytes":..,"h2d_calls":..,"h2d_floor":..,
 *                  "d2h_bytes":..,"d2h_calls":..,"d2h_floor":..}, ...]}
 *
 * An object is a block of the heap ("heap N": the Nth that the program itself asked for), a variable with static storage
 * ("static NAME") or something else, on a stack for instance, that is known by its names alone ("other"). Copies of what
 * has no name in a directive (pointers that are made to point into device memory) belong to an object without names.
 *
 * The FLOOR, in bytes. A byte has to come to the device when a kernel reads it and only the host has its newest value, and back
 * when the host reads it and only the device has that; whoever reads has the newest value from then on. No placement of
 * copies does with fewer. What libraries write and read is not seen, but for files: a value that is on a side although
 * no copy brought it, or another one did, is taken as written there, and what only a library reads need not come. So the
 * floor is a lower bound.
 */
#ifndef TRACE_H
#define TRACE_H

#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

enum direction { TO_DEVICE, FROM_DEVICE, DIRECTIONS };

#define MOST_NAMES 8

struct object {
    char place[160];
    const char *names[MOST_NAMES]; /* as directives have them: each is followed by the rest of its source location */
    int name_lengths[MOST_NAMES];
    int name_count;
    uint64_t bytes[DIRECTIONS], copies[DIRECTIONS];
    _Atomic uint64_t floor[DIRECTIONS];
    struct object *next;
};

/* The C library's own allocator, below the names that this library takes over. */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

/* objects.c: which object an address belongs to. */
extern struct object unnamed;
struct object *object_at(uintptr_t address);
void note_mapped(uintptr_t address, size_t bytes, const char *name, int name_length);
void forget_block(uintptr_t low, uintptr_t high);
struct object *all_objects(void);

/* allocators.c: the blocks of the heap that the program asked for. */
struct block {
    uintptr_t low, high;
    uint64_t number;
};
int block_at(uintptr_t address, struct block *found);

/* symbols.c: variables with static storage. */
struct variable {
    uintptr_t low, high;
    const char *name;
};
int variable_at(uintptr_t address, struct variable *found);
int of_program(uintptr_t address);

/* devices.c: which host memory a place of device memory stands for. */
void note_device_block(uintptr_t device, uintptr_t host, size_t bytes);
void forget_device_block(uintptr_t device);
/* The host's address for one in device memory, 0 where it stands for none; -1 for an address of the host itself. */
intptr_t host_of(uintptr_t address);
int has_device_block(uintptr_t host);

/* newest.c: who has the newest value of each byte. */
void watch(uintptr_t host, size_t bytes);
void unwatch(uintptr_t host, size_t bytes);
/* Host memory as it is behind a copy from the device, and before one to it. */
void copied(uintptr_t host, size_t bytes, enum direction direction);
void accessed(uintptr_t address, size_t bytes, int stores);

#endif
