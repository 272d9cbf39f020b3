#include "piggyback/rank/symbols.hpp"

#include "piggyback/interception/entry_code.hpp"
#include "piggyback/rank/core.hpp"
#include "piggyback/rank/engine.hpp"
#include "piggyback/rank/file_names.hpp"
#include "replay/unseen_calls.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>
#include <string_view>

#include <dlfcn.h>
#include <link.h>
#include <sys/auxv.h>
#include <unistd.h>

using Code = void (*)();

// Of the generated entries.cpp, by the function's number: first those with a wrapper, sorted by name.
extern "C" {
extern Code dampi_native_functions[];              // the MPI library's
extern const Code dampi_first_native_functions[];  // what these are at first
extern Code dampi_outer_functions[];               // what MPI_X leads to
extern const Code dampi_wrappers[];                // the layer's
extern const Code dampi_profiling_entries[];       // PMPI_X of the layer
extern const char* const dampi_function_names[];   // "PMPI_Send"
extern const std::size_t dampi_wrapped_functions;
extern const std::size_t dampi_all_functions;

/// Begin and size of the MPI library.
__attribute__((visibility("hidden"))) std::uint64_t dampi_mpi_library[2] = {};
/// The C library's dlsym.
__attribute__((visibility("hidden"))) void* (*dampi_next_dlsym)(void*, const char*) = nullptr;

/// The C library's dlopen and dlmopen.
__attribute__((visibility("hidden"))) void* dampi_next_dlopen = nullptr;
__attribute__((visibility("hidden"))) void* dampi_next_dlmopen = nullptr;

struct DampiFound {
    void* function;
    std::uint64_t known;  ///< 0: the C library shall answer
};
__attribute__((visibility("hidden"))) void dampi_find_mpi_functions() noexcept;
__attribute__((visibility("hidden"))) DampiFound dampi_find_symbol(void* handle, const char* name,
                                                                   const void* caller) noexcept;
__attribute__((visibility("hidden"))) void dampi_before_loading(std::uint64_t sees_no_layer) noexcept;
}

// dampi_first_use: where each function leads at first, with the address of its slot where leads_to_at_first puts it;
// the other registers are the call's. dlsym: the C library's must see its caller's return address, by which it knows
// where to begin.
#if defined(__x86_64__)
__asm__(DAMPI_ENTRY_CODE R"assembler(
    .text
    .globl dampi_first_use
    .hidden dampi_first_use
    .type dampi_first_use,@function
dampi_first_use:
    pushq %rdi
    pushq %rsi
    pushq %rdx
    pushq %rcx
    pushq %r8
    pushq %r9
    pushq %rax
    pushq %r11
    subq $8, %rsp
    call dampi_find_mpi_functions
    addq $8, %rsp
    popq %r11
    popq %rax
    popq %r9
    popq %r8
    popq %rcx
    popq %rdx
    popq %rsi
    popq %rdi
    jmp *(%r11)

    .globl dlsym
    .type dlsym,@function
dlsym:
    pushq %rdi
    pushq %rsi
    subq $8, %rsp
    movq 24(%rsp), %rdx
    call dampi_find_symbol
    addq $8, %rsp
    popq %rsi
    popq %rdi
    testq %rdx, %rdx
    jne 1f
    leads_to dampi_next_dlsym
1:  ret

    .globl dlopen
    .type dlopen,@function
dlopen:
    pushq %rdi
    pushq %rsi
    subq $8, %rsp
    movl %esi, %edi
    andl $8, %edi
    call dampi_before_loading
    addq $8, %rsp
    popq %rsi
    popq %rdi
    leads_to dampi_next_dlopen

    .globl dlmopen
    .type dlmopen,@function
dlmopen:
    pushq %rdi
    pushq %rsi
    pushq %rdx
    call dampi_before_loading
    popq %rdx
    popq %rsi
    popq %rdi
    leads_to dampi_next_dlmopen
)assembler");
#elif defined(__aarch64__)
__asm__(DAMPI_ENTRY_CODE R"assembler(
    .text
    .globl dampi_first_use
    .hidden dampi_first_use
    .type dampi_first_use,@function
dampi_first_use:
    stp x29, x30, [sp, #-96]!
    mov x29, sp
    stp x0, x1, [sp, #16]
    stp x2, x3, [sp, #32]
    stp x4, x5, [sp, #48]
    stp x6, x7, [sp, #64]
    stp x8, x17, [sp, #80]
    bl dampi_find_mpi_functions
    ldp x8, x17, [sp, #80]
    ldp x6, x7, [sp, #64]
    ldp x4, x5, [sp, #48]
    ldp x2, x3, [sp, #32]
    ldp x0, x1, [sp, #16]
    ldp x29, x30, [sp], #96
    ldr x16, [x17]
    br x16

    .globl dlsym
    .type dlsym,@function
dlsym:
    stp x29, x30, [sp, #-32]!
    mov x29, sp
    stp x0, x1, [sp, #16]
    mov x2, x30
    bl dampi_find_symbol
    cbnz x1, 1f
    ldp x0, x1, [sp, #16]
    ldp x29, x30, [sp], #32
    leads_to dampi_next_dlsym
1:  ldp x29, x30, [sp], #32
    ret

    .globl dlopen
    .type dlopen,@function
dlopen:
    stp x29, x30, [sp, #-32]!
    mov x29, sp
    stp x0, x1, [sp, #16]
    and x0, x1, #8
    bl dampi_before_loading
    ldp x0, x1, [sp, #16]
    ldp x29, x30, [sp], #32
    leads_to dampi_next_dlopen

    .globl dlmopen
    .type dlmopen,@function
dlmopen:
    stp x29, x30, [sp, #-48]!
    mov x29, sp
    stp x0, x1, [sp, #16]
    str x2, [sp, #32]
    bl dampi_before_loading
    ldr x2, [sp, #32]
    ldp x0, x1, [sp, #16]
    ldp x29, x30, [sp], #48
    leads_to dampi_next_dlmopen
)assembler");
#endif
static_assert(RTLD_DEEPBIND == 8 && LM_ID_BASE == 0);

namespace dampi::piggyback {
namespace {

constexpr int no_mpi_status = 125;

/// Modules that are other tools, by where they are mapped; read without a lock.
std::array<std::uint64_t, 8> other_tools{};
std::size_t other_tool_count = 0;

bool loaded_past_layer = false;

std::mutex putting_off;
std::atomic<void (*)()> put_off = nullptr;

bool in_mpi_library(const void* address) noexcept {
    return reinterpret_cast<std::uint64_t>(address) - dampi_mpi_library[0] < dampi_mpi_library[1];
}

struct Search {
    std::string path;   ///< of the MPI library; empty: none
    std::string other;  ///< the file name of another MPI's library
    std::uint64_t low = 0;
    std::uint64_t high = 0;
};

int look_at_module(dl_phdr_info* info, std::size_t /*size*/, void* result) {
    Search& search = *static_cast<Search*>(result);
    const std::string_view name = file_name(info->dlpi_name);
    if (name.starts_with("libmpi.so") || name.starts_with("libmpi_")) {
        search.other = name;
    }
    if (!name.starts_with("libmpich.so")) {
        return 0;
    }
    search.path = info->dlpi_name;
    search.low = UINT64_MAX;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& segment = info->dlpi_phdr[i];
        if (segment.p_type == PT_LOAD) {
            search.low = std::min<std::uint64_t>(search.low, info->dlpi_addr + segment.p_vaddr);
            search.high = std::max<std::uint64_t>(search.high, info->dlpi_addr + segment.p_vaddr + segment.p_memsz);
        }
    }
    return 1;
}

/// Whether the MPI library is in this process; then its place is known.
bool find_library(Search& search) noexcept {
    dl_iterate_phdr(look_at_module, &search);
    if (search.path.empty()) {
        return false;
    }
    dampi_mpi_library[0] = search.low;
    dampi_mpi_library[1] = search.high - search.low;
    return true;
}

/// The C library's own; not by dlsym, which is a hook of ours.
void* of_c_library(const char* name) noexcept {
    for (const char* version : {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.3.4", "GLIBC_2.17"}) {
        if (void* found = dlvsym(RTLD_NEXT, name, version)) {
            return found;
        }
    }
    std::fprintf(stderr, "dampi: the C library has no %s\n", name);
    _exit(no_mpi_status);
}

void* next_symbol(void* handle, const char* name) noexcept {
    if (dampi_next_dlsym == nullptr) {
        dampi_next_dlsym = reinterpret_cast<void* (*)(void*, const char*)>(of_c_library("dlsym"));
    }
    return name == nullptr ? nullptr : dampi_next_dlsym(handle, name);
}

const void* module_of(const void* address) noexcept {
    Dl_info where{};
    return dladdr(address, &where) != 0 ? where.dli_fbase : nullptr;
}

void note_other_tool(const void* function) noexcept {
    static const void* const executable = module_of(reinterpret_cast<const void*>(getauxval(AT_PHDR)));
    const void* module = module_of(function);
    const auto low = reinterpret_cast<std::uint64_t>(module);
    if (module == nullptr || module == executable || is_other_tool(low) || other_tool_count == other_tools.size()) {
        return;
    }
    other_tools[other_tool_count++] = low;
}

[[noreturn]] void end_without_library(const Search& search) noexcept {
    if (search.other.empty()) {
        std::fputs("dampi: the program calls MPI, but has not loaded the MPI library (libmpich.so.12)\n", stderr);
    } else {
        std::fprintf(
            stderr,
            "dampi: the program has loaded %s at run time, and dampi takes that one's place only where a "
            "program is linked with it: link it so (mpicc.openmpi), or load MPICH's library (libmpich.so.12)\n",
            search.other.c_str());
    }
    _exit(no_mpi_status);
}

void missing_function() {
    std::fputs("dampi: the program calls a function that its MPI library does not have\n", stderr);
    _exit(no_mpi_status);
}

/// Its number if the layer has a wrapper for the function of this name ("PMPI_Send"); else that of none.
std::size_t wrapped_number(const char* profiling_name) noexcept {
    const auto* begin = dampi_function_names;
    const auto* end = begin + dampi_wrapped_functions;
    const auto* found = std::lower_bound(begin, end, profiling_name,
                                         [](const char* a, const char* b) { return std::strcmp(a, b) < 0; });
    return found != end && std::strcmp(*found, profiling_name) == 0 ? static_cast<std::size_t>(found - begin)
                                                                    : dampi_wrapped_functions;
}

}  // namespace

void find_mpi_functions() noexcept {
    Search search;
    if (!find_library(search)) {
        end_without_library(search);
    }
    const void* own = module_of(reinterpret_cast<const void*>(&find_mpi_functions));
    void* library = dlopen(search.path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    for (std::size_t i = 0; i < dampi_all_functions; ++i) {
        const char* name = dampi_function_names[i];
        void* native = library != nullptr ? next_symbol(library, name) : nullptr;
        const Code function = native != nullptr ? reinterpret_cast<Code>(native) : missing_function;
        __atomic_store_n(&dampi_native_functions[i], function, __ATOMIC_RELEASE);
        if (i >= dampi_wrapped_functions) {
            continue;
        }
        Code outer = dampi_wrappers[i];
        void* next = next_symbol(RTLD_NEXT, name + 1);
        if (next != nullptr && !in_mpi_library(next)) {
            note_other_tool(next);
            outer = reinterpret_cast<Code>(next);
        }
        void* first = next_symbol(RTLD_DEFAULT, name + 1);
        if (first != nullptr && module_of(first) != own) {
            if (in_mpi_library(first)) {
                std::fprintf(stderr,
                             "dampi: the MPI library comes before dampi's layer, so that %s would not be seen\n",
                             name + 1);
                _exit(no_mpi_status);
            }
            note_other_tool(first);
        }
        __atomic_store_n(&dampi_outer_functions[i], outer, __ATOMIC_RELEASE);
    }
    // The library stays where it is as long as the process does: the handle is kept.
}

void before_next_native_call(void (*what)()) noexcept {
    put_off.store(what, std::memory_order_release);
    for (std::size_t i = 0; i < dampi_all_functions; ++i) {
        __atomic_store_n(&dampi_native_functions[i], dampi_first_native_functions[i], __ATOMIC_RELEASE);
    }
}

void count_what_is_not_seen() noexcept {
    if (loaded_past_layer && Core::current() != nullptr) {
        Core::current()->count_not_modelled(replay::calls_past_the_layer);
    }
}

bool is_other_tool(std::uint64_t low) noexcept {
    return std::find(other_tools.begin(), other_tools.begin() + static_cast<std::ptrdiff_t>(other_tool_count), low) !=
           other_tools.begin() + static_cast<std::ptrdiff_t>(other_tool_count);
}

}  // namespace dampi::piggyback

/// Libraries that look their symbols up among their own first, or in a namespace of their own, may call MPI past the
/// layer.
void dampi_before_loading(std::uint64_t sees_no_layer) noexcept {
    using namespace dampi::piggyback;
    if (dampi_next_dlopen == nullptr) {
        dampi_next_dlmopen = of_c_library("dlmopen");
        dampi_next_dlopen = of_c_library("dlopen");
    }
    if (sees_no_layer != 0) {
        loaded_past_layer = true;
        count_what_is_not_seen();
        if (Core::current() != nullptr && engine.loads_past_layer != nullptr) {
            engine.loads_past_layer();
        }
    }
}

void dampi_find_mpi_functions() noexcept {
    using namespace dampi::piggyback;
    if (put_off.load(std::memory_order_acquire) == nullptr) {
        find_mpi_functions();
        return;
    }
    const std::lock_guard lock(putting_off);  // who comes second waits until it is done
    if (const auto what = put_off.load(std::memory_order_relaxed)) {
        find_mpi_functions();
        what();
        put_off.store(nullptr, std::memory_order_release);
    }
}

/// For a program that asks for an MPI function's address: the same as what the name means where it is called.
DampiFound dampi_find_symbol(void* handle, const char* name, const void* caller) noexcept {
    using namespace dampi::piggyback;
    next_symbol(handle, nullptr);
    constexpr DampiFound unknown{nullptr, 0};
    if (name == nullptr || (std::strncmp(name, "MPI_", 4) != 0 && std::strncmp(name, "PMPI_", 5) != 0)) {
        return unknown;
    }
    const bool profiling = name[0] == 'P';
    const std::string profiling_name = profiling ? std::string(name) : "P" + std::string(name);
    const std::size_t number = wrapped_number(profiling_name.c_str());
    Search search;
    if (number == dampi_wrapped_functions || !(dampi_mpi_library[1] != 0 || find_library(search))) {
        if (number != dampi_wrapped_functions && !search.other.empty()) {
            end_without_library(search);
        }
        // Without an MPI library the names of the layer do not count.
        return number == dampi_wrapped_functions ? unknown : DampiFound{nullptr, 1};
    }
    if (in_mpi_library(caller)) {
        return unknown;
    }
    void* const wrapper = reinterpret_cast<void*>(dampi_profiling_entries[number]);
    if (handle == RTLD_NEXT) {
        if (profiling) {
            return {wrapper, 1};
        }
        // A tool asks who is behind it: another tool that was linked after the layer, or the layer.
        const auto outer = dampi_outer_functions[number];
        const bool linked_tool = outer != dampi_wrappers[number];
        const bool is_it = module_of(reinterpret_cast<const void*>(outer)) == module_of(caller);
        return {linked_tool && !is_it ? reinterpret_cast<void*>(outer) : wrapper, 1};
    }
    void* const found = next_symbol(handle, name);
    return found != nullptr && in_mpi_library(found) ? DampiFound{wrapper, 1} : unknown;
}
