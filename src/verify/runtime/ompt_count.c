/* ompt_count: an OMPT tool that counts what an OpenMP program moves between host and device.
 *
 * The OpenMP runtime loads it when OMP_TOOL_LIBRARIES names it, and calls it around every operation on device data and
 * every kernel launch that the program's directives and device routines cause; the runtime's own traffic (loading
 * device images, its environment records) does not pass here. When the runtime finishes, the totals are written as one
 * JSON object to the file named by OMPMEMOPT_COUNTS:
 *
 *     {"total":{"h2d_bytes":..,"h2d_calls":..,"d2h_bytes":..,"d2h_calls":..,"d2d_bytes":..,"d2d_calls":..,
 *               "alloc_bytes":..,"allocs":..,"deletes":..,"launches":..},
 *      "sections":[{"index":0, ...the same fields...}, ...]}
 *
 * A program closes a section with omp_control_tool(64, INDEX, NULL): what happened since the previous section's end (or
 * the start) is reported under INDEX, in the order in which sections end.
 *
 * Counters are atomic because kernels and copies may be issued by several threads.
 *
 * The host plugin of LLVM 19 loads device images from files /tmp/tmpfile_XXXXXX and leaves these behind, one for each
 * run. They are removed here as soon as something happens on the device: by then they are loaded.
 */
#include <fcntl.h>
#include <omp-tools.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    H2D_BYTES,
    H2D_CALLS,
    D2H_BYTES,
    D2H_CALLS,
    D2D_BYTES,
    D2D_CALLS,
    ALLOC_BYTES,
    ALLOCS,
    DELETES,
    LAUNCHES,
    FIELDS
};

static const char *const field_names[FIELDS] = {
    "h2d_bytes", "h2d_calls",   "d2h_bytes", "d2h_calls", "d2d_bytes",
    "d2d_calls", "alloc_bytes", "allocs",    "deletes",   "launches",
};

#define END_OF_SECTION 64

static _Atomic uint64_t total[FIELDS];

struct section {
    uint64_t index;
    uint64_t count[FIELDS];
};

static pthread_mutex_t sections_lock = PTHREAD_MUTEX_INITIALIZER;
static struct section *sections;
static size_t section_count, section_capacity;
static uint64_t at_last_section[FIELDS];
static atomic_flag written = ATOMIC_FLAG_INIT;

static void add(int field, uint64_t amount) { atomic_fetch_add_explicit(&total[field], amount, memory_order_relaxed); }

/* Emi events come as a begin and an end; operations that start and finish at once come as one beginend. Counting when
 * an operation starts counts each one exactly once. */
static int starts(ompt_scope_endpoint_t endpoint) { return endpoint != ompt_scope_end; }

static atomic_flag images_removed = ATOMIC_FLAG_INIT;

/* Removes the file of a line of /proc/self/maps where that is an image: code, under a name as the plugin makes it. */
static void remove_image(const char *line) {
    static const char start[] = "/tmp/tmpfile_";
    const char *path = strstr(line, start);
    if (path && strstr(line, " r-xp ") && strlen(path) == sizeof start - 1 + 6)
        unlink(path);
}

/* Without the C library's streams: they would allocate memory of the program under test. */
static void remove_images(void) {
    if (atomic_flag_test_and_set(&images_removed))
        return;
    int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (maps < 0)
        return;
    char block[1024], line[256];
    size_t length = 0;
    for (ssize_t got; (got = read(maps, block, sizeof block)) > 0;)
        for (ssize_t i = 0; i < got; i++) {
            if (block[i] == '\n') {
                line[length] = 0;
                remove_image(line);
                length = 0;
            } else if (length < sizeof line - 1) {
                line[length++] = block[i];
            }
        }
    close(maps);
}

static void on_data_op(ompt_scope_endpoint_t endpoint, ompt_data_t *task, ompt_data_t *target, ompt_id_t *host_op,
                       ompt_target_data_op_t op, void *source, int source_device, void *destination,
                       int destination_device, size_t bytes, const void *return_address) {
    (void)task, (void)target, (void)host_op, (void)source, (void)destination, (void)return_address;
    if (!starts(endpoint))
        return;
    remove_images();
    switch (op) {
    case ompt_target_data_alloc:
    case ompt_target_data_alloc_async:
        add(ALLOCS, 1);
        add(ALLOC_BYTES, bytes);
        break;
    case ompt_target_data_transfer_to_device:
    case ompt_target_data_transfer_to_device_async:
        add(H2D_CALLS, 1);
        add(H2D_BYTES, bytes);
        break;
    case ompt_target_data_transfer_from_device:
    case ompt_target_data_transfer_from_device_async: {
        /* The runtime reports a copy between two places of one device as a transfer from that device. */
        int inside = source_device == destination_device;
        add(inside ? D2D_CALLS : D2H_CALLS, 1);
        add(inside ? D2D_BYTES : D2H_BYTES, bytes);
        break;
    }
    case ompt_target_data_delete:
    case ompt_target_data_delete_async:
        add(DELETES, 1);
        break;
    default:
        break;
    }
}

static void on_submit(ompt_scope_endpoint_t endpoint, ompt_data_t *target, ompt_id_t *host_op, unsigned int teams) {
    (void)target, (void)host_op, (void)teams;
    if (!starts(endpoint))
        return;
    remove_images();
    add(LAUNCHES, 1);
}

/* Returns 0 where the command was understood, 1 where it was not, as omp_control_tool hands on to the program. */
static int on_control(uint64_t command, uint64_t modifier, void *argument, const void *return_address) {
    (void)argument, (void)return_address;
    if (command != END_OF_SECTION)
        return 1;
    int result = 1;
    pthread_mutex_lock(&sections_lock);
    if (section_count == section_capacity) {
        size_t capacity = section_capacity ? 2 * section_capacity : 16;
        struct section *grown = realloc(sections, capacity * sizeof *grown);
        if (grown) {
            sections = grown;
            section_capacity = capacity;
        }
    }
    if (section_count < section_capacity) {
        struct section *section = &sections[section_count++];
        section->index = modifier;
        for (int field = 0; field < FIELDS; field++) {
            uint64_t now = atomic_load(&total[field]);
            section->count[field] = now - at_last_section[field];
            at_last_section[field] = now;
        }
        result = 0;
    }
    pthread_mutex_unlock(&sections_lock);
    return result;
}

static void write_fields(FILE *out, const uint64_t *count) {
    for (int field = 0; field < FIELDS; field++)
        fprintf(out, "%s\"%s\":%llu", field ? "," : "", field_names[field], (unsigned long long)count[field]);
}

/* Runs once, from whichever comes first of the runtime's own end and the unloading of this library. */
static void write_counts(void) {
    const char *path = getenv("OMPMEMOPT_COUNTS");
    if (!path || atomic_flag_test_and_set(&written))
        return;
    FILE *out = fopen(path, "w");
    if (!out) {
        perror("ompmemopt-count: cannot write the counts");
        return;
    }
    uint64_t sum[FIELDS];
    for (int field = 0; field < FIELDS; field++)
        sum[field] = atomic_load(&total[field]);
    fputs("{\"total\":{", out);
    write_fields(out, sum);
    fputs("},\"sections\":[", out);
    for (size_t i = 0; i < section_count; i++) {
        fprintf(out, "%s{\"index\":%llu,", i ? "," : "", (unsigned long long)sections[i].index);
        write_fields(out, sections[i].count);
        fputc('}', out);
    }
    fputs("]}\n", out);
    fclose(out);
}

static int initialize(ompt_function_lookup_t lookup, int initial_device, ompt_data_t *tool_data) {
    (void)initial_device, (void)tool_data;
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    if (!set_callback)
        return 0;
    /* An empty file says that the runtime started, should the program end without letting it finish. */
    const char *path = getenv("OMPMEMOPT_COUNTS");
    FILE *out = path ? fopen(path, "w") : NULL;
    if (out)
        fclose(out);
    set_callback(ompt_callback_target_data_op_emi, (ompt_callback_t)on_data_op);
    set_callback(ompt_callback_target_submit_emi, (ompt_callback_t)on_submit);
    set_callback(ompt_callback_control_tool, (ompt_callback_t)on_control);
    return 1;
}

static void finalize(ompt_data_t *tool_data) {
    (void)tool_data;
    write_counts();
}

ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version) {
    (void)omp_version, (void)runtime_version;
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    return &result;
}

__attribute__((destructor)) static void unload(void) { write_counts(); }
