/* What the OpenMP runtime tells tools: device memory comes and goes, and copies are made; and what is left behind. */
#include "trace.h"

#include <omp-tools.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void on_copy(void *host, void *device, size_t bytes, enum direction direction) {
    struct object *object = object_at((uintptr_t)host);
    pthread_mutex_lock(&lock);
    object->bytes[direction] += bytes;
    object->copies[direction]++;
    pthread_mutex_unlock(&lock);
    if (object != &unnamed)
        note_device_block((uintptr_t)device, (uintptr_t)host, bytes);
    copied((uintptr_t)host, bytes, direction);
}

static void on_data_op(ompt_scope_endpoint_t endpoint, ompt_data_t *task, ompt_data_t *target, ompt_id_t *host_op,
                       ompt_target_data_op_t op, void *source, int source_device, void *destination,
                       int destination_device, size_t bytes, const void *return_address) {
    (void)task, (void)target, (void)host_op, (void)return_address;
    int ends = endpoint != ompt_scope_begin, begins = endpoint != ompt_scope_end;
    switch (op) {
    case ompt_target_data_alloc:
    case ompt_target_data_alloc_async:
        if (ends)
            note_device_block((uintptr_t)destination, (uintptr_t)source, bytes);
        break;
    case ompt_target_data_transfer_to_device:
    case ompt_target_data_transfer_to_device_async:
        if (begins)
            on_copy(source, destination, bytes, TO_DEVICE);
        break;
    case ompt_target_data_transfer_from_device:
    case ompt_target_data_transfer_from_device_async:
        if (ends && source_device != destination_device)
            on_copy(destination, source, bytes, FROM_DEVICE);
        break;
    case ompt_target_data_delete:
    case ompt_target_data_delete_async:
        if (begins)
            forget_device_block((uintptr_t)source);
        break;
    default:
        break;
    }
}

static void write_text(FILE *out, const char *text, int length) {
    putc('"', out);
    for (int i = 0; i < length && text[i]; i++)
        if (text[i] == '"' || text[i] == '\\')
            fprintf(out, "\\%c", text[i]);
        else if ((unsigned char)text[i] >= ' ')
            putc(text[i], out);
    putc('"', out);
}

static void write_object(FILE *out, const struct object *object) {
    fputs("{\"place\":", out);
    write_text(out, object->place, sizeof object->place);
    fputs(",\"names\":[", out);
    for (int i = 0; i < object->name_count; i++) {
        if (i)
            putc(',', out);
        write_text(out, object->names[i], object->name_lengths[i]);
    }
    putc(']', out);
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        const char *word = direction == TO_DEVICE ? "h2d" : "d2h";
        fprintf(out, ",\"%s_bytes\":%llu,\"%s_calls\":%llu,\"%s_floor\":%llu", word,
                (unsigned long long)object->bytes[direction], word, (unsigned long long)object->copies[direction], word,
                (unsigned long long)atomic_load(&object->floor[direction]));
    }
    putc('}', out);
}

static atomic_flag written = ATOMIC_FLAG_INIT;

/* Runs when the library is unloaded, so that what the program does after its last kernel counts. */
__attribute__((destructor)) static void write_objects(void) {
    const char *path = getenv("OMPMEMOPT_TRACE");
    if (!path || atomic_flag_test_and_set(&written))
        return;
    FILE *out = fopen(path, "w");
    if (!out) {
        perror("ompmemopt-trace: cannot write what was counted");
        return;
    }
    fputs("{\"objects\":[", out);
    for (const struct object *object = all_objects(); object; object = object->next) {
        write_object(out, object);
        fputs(object->next ? ",\n" : "", out);
    }
    fputs("]}\n", out);
    fclose(out);
}

static int initialize(ompt_function_lookup_t lookup, int initial_device, ompt_data_t *tool_data) {
    (void)initial_device, (void)tool_data;
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    if (!set_callback)
        return 0;
    set_callback(ompt_callback_target_data_op_emi, (ompt_callback_t)on_data_op);
    return 1;
}

static void finalize(ompt_data_t *tool_data) { (void)tool_data; }

EXPORT ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version) {
    (void)omp_version, (void)runtime_version;
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    return &result;
}
