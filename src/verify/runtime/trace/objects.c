/* Objects that directives map: where they lie now, and what was counted of them for good. */
#include "trace.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where an object lies. */
struct extent {
    uintptr_t low, high;
    struct object *object;
};

struct object unnamed = {.place = "other"};
static struct object *objects = &unnamed;
static struct extent *extents; /* in the order of their addresses */
static size_t count, capacity;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct object *all_objects(void) { return objects; }

/* The first extent that ends behind an address. */
static size_t position(uintptr_t address) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (extents[middle].high <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct object *object_at(uintptr_t address) {
    pthread_mutex_lock(&lock);
    size_t at = position(address);
    struct object *found = at < count && extents[at].low <= address ? extents[at].object : &unnamed;
    pthread_mutex_unlock(&lock);
    return found;
}

static int has_name(const struct object *object, const char *name, int length) {
    for (int i = 0; i < object->name_count; i++)
        if (object->name_lengths[i] == length && !memcmp(object->names[i], name, (size_t)length))
            return 1;
    return 0;
}

static void add_name(struct object *object, const char *name, int length) {
    if (object->name_count == MOST_NAMES || has_name(object, name, length))
        return;
    object->names[object->name_count] = name;
    object->name_lengths[object->name_count++] = length;
}

static void remove_extents(uintptr_t low, uintptr_t high) {
    size_t first = position(low), last = first;
    while (last < count && extents[last].low < high)
        last++;
    memmove(&extents[first], &extents[last], (count - last) * sizeof *extents);
    count -= last - first;
}

static void put_extent(struct extent extent) {
    remove_extents(extent.low, extent.high);
    if (count == capacity) {
        capacity = capacity ? 2 * capacity : 64;
        struct extent *grown = __libc_realloc(extents, capacity * sizeof *extents);
        if (!grown)
            abort();
        extents = grown;
    }
    size_t at = position(extent.low);
    memmove(&extents[at + 1], &extents[at], (count++ - at) * sizeof *extents);
    extents[at] = extent;
}

static struct object *new_object(const char *place) {
    struct object *object = __libc_calloc(1, sizeof *object);
    if (!object)
        abort();
    snprintf(object->place, sizeof object->place, "%s", place);
    object->next = objects;
    objects = object;
    return object;
}

/* A piece of memory that is neither of the heap nor static: known by a name, unless what lies there already has it. */
static struct extent elsewhere(uintptr_t low, uintptr_t high, const char *name, int length) {
    size_t at = position(low);
    if (at < count && extents[at].low < high && has_name(extents[at].object, name, length)) {
        low = low < extents[at].low ? low : extents[at].low;
        high = high > extents[at].high ? high : extents[at].high;
        return (struct extent){low, high, extents[at].object};
    }
    for (struct object *object = objects; object; object = object->next)
        if (!strcmp(object->place, unnamed.place) && has_name(object, name, length))
            return (struct extent){low, high, object};
    return (struct extent){low, high, new_object(unnamed.place)};
}

void note_mapped(uintptr_t address, size_t bytes, const char *name, int length) {
    struct block block;
    struct variable variable;
    char place[sizeof unnamed.place];
    int in_heap = block_at(address, &block), is_static = !in_heap && variable_at(address, &variable);
    pthread_mutex_lock(&lock);
    size_t at = position(address);
    int known = at < count && extents[at].low <= address && address + bytes <= extents[at].high;
    /* What is neither may have made place for something else. */
    if (known && (in_heap || is_static || has_name(extents[at].object, name, length) || has_device_block(address))) {
        add_name(extents[at].object, name, length);
        pthread_mutex_unlock(&lock);
        return;
    }
    struct extent extent;
    if (in_heap) {
        snprintf(place, sizeof place, "heap %llu", (unsigned long long)block.number);
        extent = (struct extent){block.low, block.high, new_object(place)};
    } else if (is_static) {
        snprintf(place, sizeof place, "static %s", variable.name);
        extent = (struct extent){variable.low, variable.high, new_object(place)};
    } else {
        extent = elsewhere(address, address + bytes, name, length);
    }
    put_extent(extent);
    add_name(extent.object, name, length);
    pthread_mutex_unlock(&lock);
    watch(extent.low, extent.high - extent.low);
}

void forget_block(uintptr_t low, uintptr_t high) {
    pthread_mutex_lock(&lock);
    int is_known = position(low) < count && extents[position(low)].low < high;
    remove_extents(low, high);
    pthread_mutex_unlock(&lock);
    if (is_known)
        unwatch(low, high - low);
}
