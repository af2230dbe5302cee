/* Variables with static storage, from the symbol table of the program's own file. */
#include "trace.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static struct variable *variables;
static size_t variable_count;
static uintptr_t base, program_low, program_high;
static pthread_once_t found = PTHREAD_ONCE_INIT;

static int note_program(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size, (void)data;
    base = info->dlpi_addr;
    program_low = UINTPTR_MAX;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t low = base + part->p_vaddr, high = low + part->p_memsz;
        if (part->p_type != PT_LOAD)
            continue;
        program_low = low < program_low ? low : program_low;
        program_high = high > program_high ? high : program_high;
    }
    return 1; /* the program comes first */
}

static int by_address(const void *a, const void *b) {
    const struct variable *x = a, *y = b;
    return x->low < y->low ? -1 : x->low > y->low;
}

static void read_table(const char *file) {
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)file;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(file + head->e_shoff);
    for (int i = 0; i < head->e_shnum; i++) {
        if (sections[i].sh_type != SHT_SYMTAB)
            continue;
        const Elf64_Sym *symbols = (const Elf64_Sym *)(file + sections[i].sh_offset);
        const char *names = file + sections[sections[i].sh_link].sh_offset;
        size_t count = sections[i].sh_size / sizeof *symbols;
        variables = __libc_malloc((count + 1) * sizeof *variables);
        for (size_t s = 0; variables && s < count; s++) {
            uintptr_t low = base + symbols[s].st_value;
            if (ELF64_ST_TYPE(symbols[s].st_info) == STT_OBJECT && symbols[s].st_size && symbols[s].st_shndx)
                variables[variable_count++] = (struct variable){low, low + symbols[s].st_size, names + symbols[s].st_name};
        }
        qsort(variables, variable_count, sizeof *variables, by_address);
        return;
    }
}

static void find(void) {
    struct stat known;
    dl_iterate_phdr(note_program, NULL);
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    if (!fstat(file, &known)) {
        char *text = mmap(NULL, (size_t)known.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (text != MAP_FAILED)
            read_table(text);
    }
    close(file);
}

int variable_at(uintptr_t address, struct variable *wanted) {
    pthread_once(&found, find);
    size_t low = 0, high = variable_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (variables[middle].high <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == variable_count || address < variables[low].low)
        return 0;
    *wanted = variables[low];
    return 1;
}

__attribute__((constructor)) static void find_program(void) { dl_iterate_phdr(note_program, NULL); }

int of_program(uintptr_t address) { return address >= program_low && address < program_high; }
