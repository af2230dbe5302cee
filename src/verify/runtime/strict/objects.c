/* What belongs to the program: the executable, and shared objects that lie in its folder; and what to device code. */
#include "strict.h"

#include <limits.h>
#include <link.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static struct range program[MOST_OBJECTS]; /* the executable, and shared objects in its folder: whole */
struct range globals[MOST_OBJECTS];
int object_count;
static struct range images[MOST_OBJECTS]; /* device images that kernels were found in */
static atomic_int image_count;

int in_any(const struct range *ranges, int count, uintptr_t address) {
    for (int i = 0; i < count; i++)
        if (holds(ranges[i], address))
            return 1;
    return 0;
}

int of_program(uintptr_t address) { return in_any(program, object_count, address); }

int of_image(uintptr_t address) { return in_any(images, atomic_load(&image_count), address); }

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

/* Pages that stay writable after start-up. The loader seals the part named by PT_GNU_RELRO, which holds what the
 * dynamic linker and the runtime read at any time, and no data of the program. */
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

void find_program(void) {
    ssize_t length = readlink("/proc/self/exe", program_folder, sizeof program_folder - 1);
    if (length > 0) {
        char *slash = strrchr(program_folder, '/');
        *(slash ? slash : program_folder) = 0;
    }
    int seen = 0;
    dl_iterate_phdr(note_object, &seen);
}

void note_image_of(uintptr_t kernel) { dl_iterate_phdr(note_image, (void *)kernel); }
