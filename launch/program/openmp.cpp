#include "launch/program/openmp.hpp"

#include "base/unique_fd.hpp"
#include "launch/program/elf_symbols.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <elf.h>
#include <fcntl.h>

namespace dampi::launch {
namespace {

constexpr std::array known_functions = std::to_array<std::string_view>({
#define OPENMP_FOLLOWED(name) #name,
#define OPENMP_ORDERS_NOTHING(name) #name,
#include "launch/program/openmp_functions.def"
#undef OPENMP_FOLLOWED
#undef OPENMP_ORDERS_NOTHING
});

OpenMpOrder order_in(const std::filesystem::path& file) {
    const base::UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    const ElfHandle elf = fd ? open_elf(fd.get()) : nullptr;
    const auto has = [&](GElf_Word table, auto test) { return elf != nullptr && any_symbol(elf.get(), table, test); };
    // What is built without ThreadSanitizer does nothing that it sees.
    const bool watched = has(SHT_DYNSYM, [](std::string_view name, bool /*defined*/) {
        return name == "__tsan_func_entry" || name == "__tsan_init";
    });
    if (!watched) {
        return OpenMpOrder::told;
    }
    const auto is_unknown = [](std::string_view name, bool defined) {
        const auto* const known = std::find(known_functions.begin(), known_functions.end(), name);
        return name.starts_with("GOMP_") && (defined || known == known_functions.end());
    };
    // Of a runtime that is linked in statically, no call can be followed.
    const auto is_linked_in = [](std::string_view name, bool defined) {
        return defined && (name == "GOMP_parallel" || name == "__kmpc_fork_call");
    };
    // Of clang's tasks the memory goes from one to the next, of which Archer tells nothing.
    const auto is_clangs_task = [](std::string_view name, bool /*defined*/) {
        return name.starts_with("__kmpc_omp_task") || name.starts_with("__kmpc_taskloop");
    };
    if (has(SHT_DYNSYM, is_unknown) || has(SHT_DYNSYM, is_clangs_task) || has(SHT_SYMTAB, is_linked_in)) {
        return OpenMpOrder::untold;
    }
    return has(SHT_DYNSYM, [](std::string_view name, bool /*defined*/) { return name.starts_with("__kmpc_"); })
               ? OpenMpOrder::by_runtime
               : OpenMpOrder::told;
}

}  // namespace

OpenMpOrder openmp_order(const Program& program) {
    OpenMpOrder worst = order_in(program.path);
    for (const std::filesystem::path& library : program.libraries) {
        worst = std::max(worst, order_in(library));
    }
    return worst;
}

}  // namespace dampi::launch
