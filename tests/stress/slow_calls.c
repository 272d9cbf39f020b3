/* Preloaded into ranks, delays them at random before MPI calls: before those of the program, in its own code, and
 * before those that the layer then makes of the library. Most delays are short, some last up to 3 seconds; each process
 * sleeps for at most DAMPI_STRESS_SECONDS (default 4) in all. To be loaded before the program starts.
 *
 * What comes between the layer and the library cannot be interposed: it finds the slots through which the program calls
 * MPI_ functions and the layer those of the library, and points them to stubs that sleep first and then jump to the
 * function with all arguments as they are. x86-64 only. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

enum { most_stubs = 2048, bytes_per_stub = 32, page_size = 4096 };

static const double shortest = 1e-3, longest = 3; /* of a delay, in seconds */

static unsigned char* stubs; /* the next free one */
static unsigned stub_count;
static double seconds_left;   /* of sleep, for the whole process */
static unsigned program_odds; /* one call of the program in so many is delayed */
static unsigned layer_odds;   /* likewise the layer's */
static __thread uint64_t state;

static uint64_t random_bits(void) {
    if (state == 0 && (getrandom(&state, sizeof state, 0) != (ssize_t)sizeof state || state == 0)) state = 1;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* Called by the stubs. Pareto's distribution with exponent 1/2: one delay in ten is over a hundred times the shortest,
 * and one in thirty over a thousand times. */
__attribute__((used, visibility("hidden"))) void dampi_stress_delay(uint64_t by_layer) {
    if (seconds_left <= 0 || random_bits() % (by_layer ? layer_odds : program_odds) != 0) return;
    const double share = (double)(random_bits() % 1000000 + 1) / 1e6;
    double seconds = shortest / (share * share);
    if (seconds > longest) seconds = longest;
    if (seconds > seconds_left) seconds = seconds_left;
    seconds_left -= seconds;
    struct timespec pause = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    while (nanosleep(&pause, &pause) != 0) {}
}

/* In r11 the function, in r10 whether the layer calls it; both free for use between a call and its function. */
void dampi_stress_stub(void) __attribute__((visibility("hidden")));
__asm__(
    ".text\n"
    ".type dampi_stress_stub, @function\n"
    "dampi_stress_stub:\n"
    "    push %rbp\n"
    "    mov %rsp, %rbp\n"
    "    push %rdi\n    push %rsi\n    push %rdx\n    push %rcx\n"
    "    push %r8\n    push %r9\n    push %r10\n    push %r11\n"
    "    mov %r10, %rdi\n"
    "    call dampi_stress_delay\n"
    "    pop %r11\n    pop %r10\n    pop %r9\n    pop %r8\n"
    "    pop %rcx\n    pop %rdx\n    pop %rsi\n    pop %rdi\n"
    "    pop %rbp\n"
    "    jmp *%r11\n"
    ".size dampi_stress_stub, .-dampi_stress_stub\n");

/* Machine code: r11 = function; r10 = by_layer; jump to the common part, which may be far away. */
static void* make_stub(void* function, uint32_t by_layer) {
    if (stub_count == most_stubs) return NULL;
    unsigned char* const stub = stubs + (size_t)stub_count++ * bytes_per_stub;
    const uint64_t common = (uint64_t)(uintptr_t)&dampi_stress_stub;
    memcpy(stub, "\x49\xBB", 2); /* movabs imm64, %r11 */
    memcpy(stub + 2, &function, 8);
    memcpy(stub + 10, "\x41\xBA", 2); /* mov imm32, %r10d */
    memcpy(stub + 12, &by_layer, 4);
    memcpy(stub + 16, "\x48\xB8", 2); /* movabs imm64, %rax: only variadic functions look at it, as a hint */
    memcpy(stub + 18, &common, 8);
    memcpy(stub + 26, "\xFF\xE0", 2); /* jmp *%rax */
    return stub;
}

static void point_to_stub(void** slot, void* function, uint32_t by_layer) {
    void* const stub = make_stub(function, by_layer);
    char* const page = (char*)((uintptr_t)slot & ~(uintptr_t)(page_size - 1));
    if (stub == NULL || mprotect(page, page_size, PROT_READ | PROT_WRITE) != 0) abort();
    *slot = stub;
}

static void redirect_program(ElfW(Addr) base, const ElfW(Rela) * relocations, size_t bytes, const ElfW(Sym) * symbols,
                             const char* names) {
    for (size_t i = 0; i < bytes / sizeof *relocations; i++) {
        if (ELF64_R_TYPE(relocations[i].r_info) != R_X86_64_JUMP_SLOT) continue;
        const char* name = names + symbols[ELF64_R_SYM(relocations[i].r_info)].st_name;
        if (strncmp(name, "MPI_", 4) != 0 && strncmp(name, "mpi_", 4) != 0) continue;
        void* const function = dlsym(RTLD_DEFAULT, name);
        if (function == NULL) abort();
        point_to_stub((void**)(base + relocations[i].r_offset), function, 0);
    }
}

static uintptr_t library_begin, library_end; /* the code of the MPI library */

/* The layer, whose constructor has run, keeps the library's functions in tables of its own. */
static void redirect_layer(const struct dl_phdr_info* module) {
    for (int i = 0; i < module->dlpi_phnum; i++) {
        const ElfW(Phdr)* segment = &module->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W) == 0) continue;
        void** const words = (void**)(module->dlpi_addr + segment->p_vaddr);
        for (size_t k = 0; k < segment->p_filesz / sizeof *words; k++) {
            const uintptr_t value = (uintptr_t)words[k];
            if (value >= library_begin && value < library_end) point_to_stub(&words[k], words[k], 1);
        }
    }
}

static int find_library(struct dl_phdr_info* module, size_t size, void* unused) {
    (void)size;
    (void)unused;
    if (strstr(module->dlpi_name, "libmpich.so") == NULL) return 0;
    for (int i = 0; i < module->dlpi_phnum; i++) {
        const ElfW(Phdr)* segment = &module->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_X) == 0) continue;
        library_begin = module->dlpi_addr + segment->p_vaddr;
        library_end = library_begin + segment->p_memsz;
    }
    return 1;
}

static int look_at(struct dl_phdr_info* module, size_t size, void* unused) {
    (void)size;
    (void)unused;
    if (strstr(module->dlpi_name, "libdampi.so") != NULL) {
        redirect_layer(module);
        return 0;
    }
    if (module->dlpi_name[0] != '\0') return 0; /* the program itself has no name */
    for (int i = 0; i < module->dlpi_phnum; i++) {
        if (module->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
        const ElfW(Rela)* relocations = NULL;
        const ElfW(Sym)* symbols = NULL;
        const char* names = NULL;
        size_t bytes = 0;
        for (const ElfW(Dyn)* entry = (const void*)(module->dlpi_addr + module->dlpi_phdr[i].p_vaddr);
             entry->d_tag != DT_NULL; entry++) {
            if (entry->d_tag == DT_JMPREL) relocations = (const void*)entry->d_un.d_ptr;
            if (entry->d_tag == DT_PLTRELSZ) bytes = entry->d_un.d_val;
            if (entry->d_tag == DT_SYMTAB) symbols = (const void*)entry->d_un.d_ptr;
            if (entry->d_tag == DT_STRTAB) names = (const char*)entry->d_un.d_ptr;
        }
        if (relocations != NULL && symbols != NULL && names != NULL)
            redirect_program(module->dlpi_addr, relocations, bytes, symbols, names);
    }
    return 0;
}

__attribute__((constructor)) static void begin(void) {
    const char* seconds = getenv("DAMPI_STRESS_SECONDS");
    seconds_left = seconds != NULL ? atof(seconds) : 4;
    /* Ranks differ: some are late at every other call, some hardly ever. */
    program_odds = 2u << random_bits() % 5;
    layer_odds = 16u << random_bits() % 6;
    stubs = mmap(NULL, (size_t)most_stubs * bytes_per_stub, PROT_READ | PROT_WRITE | PROT_EXEC,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stubs == MAP_FAILED) abort();
    dl_iterate_phdr(find_library, NULL);
    dl_iterate_phdr(look_at, NULL);
    if (stub_count < 100) abort(); /* it would delay nothing, and nobody would notice */
}
