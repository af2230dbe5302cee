/*
 * Stand-in for what a compiler of UPC declares by itself and for upc.h, for analysis only: clang reads it in front of C that was made of
 * UPC (`src/upc`). Nothing here is ever linked. `src/multivalued/upc.txt` says what the functions mean.
 */
#ifndef OMPMEMOPT_UPC_H
#define OMPMEMOPT_UPC_H

#define __UPC__ 1
#define __UPC_VERSION__ 201311L
#define __UPC_DYNAMIC_THREADS__ 1
#define __UPC_COLLECTIVE__ 1

#include <stddef.h>

typedef __SIZE_TYPE__ omm_size;

/* Qualifiers, in headers: in the text itself they are blanked out */
#define shared
#define strict
#define relaxed

int omm_mythread(void) __asm__("MYTHREAD");
__attribute__((const)) int omm_threads(void) __asm__("THREADS");
int omm_mine(void) __asm__("upc_forall");
#define MYTHREAD (omm_mythread())
#define THREADS (omm_threads())
#define UPC_MAX_BLOCK_SIZE 1048576

/* Statements. The translation has blanked out what follows `upc_barrier`, and `_F` stands for the affinity */
void omm_barrier(void) __asm__("upc_barrier");
void omm_notify(void) __asm__("upc_notify");
void omm_wait(void) __asm__("upc_wait");
#define upc_barrier omm_barrier()
#define upc_notify omm_notify()
#define upc_wait omm_wait()
#define upc_forall for
#define _F if (!omm_mine()) ; else
#define upc_fence ((void)0)
#define upc_localsizeof(x) sizeof(x)
#define upc_blocksizeof(x) ((omm_size)1)
#define upc_elemsizeof(x) sizeof(x)

__attribute__((const)) omm_size upc_threadof(const void *);
__attribute__((const)) omm_size upc_phaseof(const void *);
__attribute__((const)) omm_size upc_addrfield(const void *);
__attribute__((const)) void *upc_resetphase(const void *);
omm_size upc_affinitysize(omm_size, omm_size, omm_size);
void *upc_cast(const void *);

/* Memory */
void *upc_global_alloc(omm_size, omm_size);
void *upc_all_alloc(omm_size, omm_size);
void *upc_alloc(omm_size);
void *upc_local_alloc(omm_size, omm_size);
void upc_free(void *);
void upc_all_free(void *);
void *memcpy(void *, const void *, omm_size);
void *memset(void *, int, omm_size);
#define upc_memcpy memcpy
#define upc_memget memcpy
#define upc_memput memcpy
#define upc_memset memset

/* Locks */
typedef struct omm_upc_lock { int state; } upc_lock_t;
upc_lock_t *upc_global_lock_alloc(void);
upc_lock_t *upc_all_lock_alloc(void);
void upc_lock_free(upc_lock_t *);
void upc_all_lock_free(upc_lock_t *);
void upc_lock(upc_lock_t *);
int upc_lock_attempt(upc_lock_t *);
void upc_unlock(upc_lock_t *);

__attribute__((noreturn)) void upc_global_exit(int);

/* Files */
typedef struct omm_upc_file upc_file_t;

/* Time */
typedef unsigned long long upc_tick_t;
upc_tick_t upc_ticks_now(void);
__attribute__((const)) unsigned long long upc_ticks_to_ns(upc_tick_t);

/* Collectives */
typedef int upc_flag_t;
typedef int upc_op_t;
#define UPC_IN_NOSYNC 1
#define UPC_IN_MYSYNC 2
#define UPC_IN_ALLSYNC 4
#define UPC_OUT_NOSYNC 8
#define UPC_OUT_MYSYNC 16
#define UPC_OUT_ALLSYNC 32
#define UPC_ADD 1
#define UPC_MULT 2
#define UPC_AND 4
#define UPC_OR 8
#define UPC_XOR 16
#define UPC_LOGAND 32
#define UPC_LOGOR 64
#define UPC_MIN 128
#define UPC_MAX 256
#define UPC_FUNC 512
#define UPC_NONCOMM_FUNC 1024
void upc_all_broadcast(void *, const void *, omm_size, upc_flag_t);
void upc_all_scatter(void *, const void *, omm_size, upc_flag_t);
void upc_all_gather(void *, const void *, omm_size, upc_flag_t);
void upc_all_gather_all(void *, const void *, omm_size, upc_flag_t);
void upc_all_exchange(void *, const void *, omm_size, upc_flag_t);
void upc_all_permute(void *, const void *, const int *, omm_size, upc_flag_t);
#define OMM_UPC_REDUCE(letter, T)                                                    \
    void upc_all_reduce##letter(void *, const void *, upc_op_t, omm_size, omm_size, T (*)(T, T), upc_flag_t) \
        __asm__("upc_all_reduce");                                                   \
    void upc_all_prefix_reduce##letter(void *, const void *, upc_op_t, omm_size, omm_size, T (*)(T, T), upc_flag_t) \
        __asm__("upc_all_prefix_reduce");
OMM_UPC_REDUCE(C, signed char)
OMM_UPC_REDUCE(UC, unsigned char)
OMM_UPC_REDUCE(S, short)
OMM_UPC_REDUCE(US, unsigned short)
OMM_UPC_REDUCE(I, int)
OMM_UPC_REDUCE(UI, unsigned int)
OMM_UPC_REDUCE(L, long)
OMM_UPC_REDUCE(UL, unsigned long)
OMM_UPC_REDUCE(F, float)
OMM_UPC_REDUCE(D, double)
OMM_UPC_REDUCE(LD, long double)

#endif
