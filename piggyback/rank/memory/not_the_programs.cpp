#include "piggyback/rank/memory/not_the_programs.hpp"

#include <algorithm>
#include <cstring>

#include <link.h>
#include <sys/prctl.h>
#include <sys/rseq.h>

namespace dampi::piggyback {
namespace {

/// Lies where the layer's variables do. Volatile, or it might be among the constants.
constinit volatile char own_variable = 0;

int note_module(dl_phdr_info* module, std::size_t /*size*/, void* argument) {
    auto& found = *static_cast<NotThePrograms*>(argument);
    const auto own = reinterpret_cast<std::uintptr_t>(&own_variable);
    const bool is_none = std::strstr(module->dlpi_name, "/ld-linux") != nullptr ||
                         std::strstr(module->dlpi_name, "/libdampi-openmpi") != nullptr;
    bool is_own = false;
    for (int i = 0; i < module->dlpi_phnum; ++i) {
        const ElfW(Phdr)& part = module->dlpi_phdr[i];
        const std::uintptr_t begin = module->dlpi_addr + part.p_vaddr;
        const Range range{.begin = begin, .end = begin + part.p_memsz};
        if (part.p_type == PT_LOAD && (part.p_flags & PF_W) != 0) {
            is_own = is_own || range.contains(own);
            if (is_none || range.contains(own)) {
                found.add(range);
            }
        }
        if (part.p_type != PT_DYNAMIC) {
            continue;
        }
        std::uintptr_t table = 0;
        std::size_t relocations = 0;
        for (const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(begin); entry->d_tag != DT_NULL; ++entry) {
            table = entry->d_tag == DT_PLTGOT ? entry->d_un.d_ptr : table;
            relocations = entry->d_tag == DT_PLTRELSZ ? entry->d_un.d_val / sizeof(ElfW(Rela)) : relocations;
        }
        if (table != 0 && relocations != 0) {
            found.add({.begin = table, .end = table + (3 + relocations) * sizeof(void*)});
        }
    }
    for (int i = 0; is_own && i < module->dlpi_phnum; ++i) {
        const ElfW(Phdr)& part = module->dlpi_phdr[i];
        if (part.p_type == PT_TLS && module->dlpi_tls_data != nullptr) {
            const auto begin = reinterpret_cast<std::uintptr_t>(module->dlpi_tls_data);
            found.add({.begin = begin, .end = begin + part.p_memsz});
        }
    }
    return 0;
}

}  // namespace

void NotThePrograms::find() noexcept {
    count_ = 0;
    dl_iterate_phdr(note_module, this);
    const auto kernels =
        reinterpret_cast<std::uintptr_t>(__builtin_thread_pointer()) + static_cast<std::uintptr_t>(__rseq_offset);
    add({.begin = kernels, .end = kernels + 32});
    int* number = nullptr;  // of the thread, where the C library keeps it
    if (prctl(PR_GET_TID_ADDRESS, &number) == 0 && number != nullptr) {
        const auto begin = reinterpret_cast<std::uintptr_t>(number);
        add({.begin = begin, .end = begin + sizeof *number});
    }
}

void NotThePrograms::add(const Range& range) noexcept {
    if (count_ < ranges_.size()) {
        ranges_[count_++] = range;
    }
}

bool NotThePrograms::contains(std::uintptr_t address) const noexcept {
    return std::any_of(ranges_.begin(), ranges_.begin() + static_cast<std::ptrdiff_t>(count_),
                       [&](const Range& each) { return each.contains(address); });
}

}  // namespace dampi::piggyback
