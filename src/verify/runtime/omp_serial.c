/* omp_serial: the OpenMP routines for a program built without OpenMP, so that its sequential form still links.
 *
 * One thread, no device: every answer is what the standard asks of an implementation where nothing ever runs in
 * parallel. All definitions are weak, so a program that brings its own stays as it is. Linked only into sequential
 * builds.
 */
#define _GNU_SOURCE
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WEAK __attribute__((weak))

WEAK void omp_set_num_threads(int n) { (void)n; }
WEAK int omp_get_num_threads(void) { return 1; }
WEAK int omp_get_max_threads(void) { return 1; }
WEAK int omp_get_thread_num(void) { return 0; }
WEAK int omp_get_num_procs(void) { return 1; }
WEAK int omp_in_parallel(void) { return 0; }
WEAK int omp_in_final(void) { return 1; }
WEAK void omp_set_dynamic(int on) { (void)on; }
WEAK int omp_get_dynamic(void) { return 0; }
WEAK void omp_set_nested(int on) { (void)on; }
WEAK int omp_get_nested(void) { return 0; }
WEAK int omp_get_thread_limit(void) { return 1; }
WEAK void omp_set_max_active_levels(int n) { (void)n; }
WEAK int omp_get_max_active_levels(void) { return 0; }
WEAK int omp_get_supported_active_levels(void) { return 0; }
WEAK int omp_get_level(void) { return 0; }
WEAK int omp_get_active_level(void) { return 0; }
WEAK int omp_get_ancestor_thread_num(int level) { return level == 0 ? 0 : -1; }
WEAK int omp_get_team_size(int level) { return level == 0 ? 1 : -1; }
WEAK void omp_set_schedule(omp_sched_t kind, int chunk) { (void)kind, (void)chunk; }
WEAK void omp_get_schedule(omp_sched_t *kind, int *chunk) { *kind = omp_sched_static, *chunk = 0; }
WEAK int omp_get_cancellation(void) { return 0; }
WEAK omp_proc_bind_t omp_get_proc_bind(void) { return omp_proc_bind_false; }
WEAK int omp_get_max_task_priority(void) { return 0; }

WEAK int omp_get_num_teams(void) { return 1; }
WEAK int omp_get_team_num(void) { return 0; }
WEAK void omp_set_num_teams(int n) { (void)n; }
WEAK int omp_get_max_teams(void) { return 1; }
WEAK void omp_set_teams_thread_limit(int n) { (void)n; }
WEAK int omp_get_teams_thread_limit(void) { return 1; }

WEAK void omp_init_lock(omp_lock_t *lock) { (void)lock; }
WEAK void omp_destroy_lock(omp_lock_t *lock) { (void)lock; }
WEAK void omp_set_lock(omp_lock_t *lock) { (void)lock; }
WEAK void omp_unset_lock(omp_lock_t *lock) { (void)lock; }
WEAK int omp_test_lock(omp_lock_t *lock) { return (void)lock, 1; }
WEAK void omp_init_nest_lock(omp_nest_lock_t *lock) { (void)lock; }
WEAK void omp_destroy_nest_lock(omp_nest_lock_t *lock) { (void)lock; }
WEAK void omp_set_nest_lock(omp_nest_lock_t *lock) { (void)lock; }
WEAK void omp_unset_nest_lock(omp_nest_lock_t *lock) { (void)lock; }
WEAK int omp_test_nest_lock(omp_nest_lock_t *lock) { return (void)lock, 1; }

WEAK double omp_get_wtime(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
WEAK double omp_get_wtick(void) { return 1e-9; }

WEAK int omp_get_num_devices(void) { return 0; }
WEAK int omp_get_initial_device(void) { return 0; }
WEAK int omp_get_default_device(void) { return 0; }
WEAK int omp_get_device_num(void) { return 0; }
WEAK void omp_set_default_device(int device) { (void)device; }
WEAK int omp_is_initial_device(void) { return 1; }

WEAK void *omp_target_alloc(size_t size, int device) { return (void)device, malloc(size); }
WEAK void omp_target_free(void *p, int device) { (void)device, free(p); }
WEAK int omp_target_is_present(const void *p, int device) { return (void)p, (void)device, 1; }
WEAK int omp_target_is_accessible(const void *p, size_t size, int device) {
    return (void)p, (void)size, (void)device, 1;
}
WEAK int omp_target_memcpy(void *to, const void *from, size_t size, size_t to_offset, size_t from_offset, int to_device,
                           int from_device) {
    (void)to_device, (void)from_device;
    memmove((char *)to + to_offset, (const char *)from + from_offset, size);
    return 0;
}
WEAK int omp_target_associate_ptr(const void *host, const void *device, size_t size, size_t offset, int number) {
    return (void)host, (void)device, (void)size, (void)offset, (void)number, 0;
}
WEAK int omp_target_disassociate_ptr(const void *host, int device) { return (void)host, (void)device, 0; }
WEAK void *omp_get_mapped_ptr(const void *host, int device) { return (void)device, (void *)host; }

WEAK void *omp_alloc(size_t size, omp_allocator_handle_t allocator) { return (void)allocator, malloc(size); }
WEAK void *omp_calloc(size_t count, size_t size, omp_allocator_handle_t allocator) {
    return (void)allocator, calloc(count, size);
}
WEAK void omp_free(void *p, omp_allocator_handle_t allocator) { (void)allocator, free(p); }

WEAK int omp_pause_resource(omp_pause_resource_t kind, int device) { return (void)kind, (void)device, 0; }
WEAK int omp_pause_resource_all(omp_pause_resource_t kind) { return (void)kind, 0; }
/* "No tool", as any implementation answers where none is loaded. */
WEAK int omp_control_tool(int command, int modifier, void *argument) {
    return (void)command, (void)modifier, (void)argument, -2;
}
