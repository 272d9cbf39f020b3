#include "piggyback/rank/code_places.hpp"

#include "base/hash.hpp"
#include "piggyback/rank/core.hpp"
#include "piggyback/rank/file_names.hpp"
#include "piggyback/rank/python_places.hpp"
#include "piggyback/rank/symbols.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <unwind.h>
#include <link.h>
#include <unistd.h>

namespace dampi::piggyback {
namespace {

struct Module {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    std::uint64_t bias = 0;
    std::string name;  ///< as the loader knows it; empty for the main program
    [[nodiscard]] bool contains(std::uint64_t address) const { return low <= address && address < high; }
    bool operator==(const Module&) const = default;
};

std::vector<Module> logged;

/// Modules that are known, though they are not logged, with their files; and the loader's count of then.
struct {
    std::vector<Module> modules;
    std::vector<std::string> files;
    unsigned long long loads = 0;
} prepared;
unsigned long long loads_seen = 0;  ///< the loader's count of objects loaded so far

// The MPI library's own code: a call from there is not the program's. At most a few, looked at in each call.
struct Range {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    bool is_binding = false;  ///< Fortran's or C++'s, or what translates: calls for the program, never by itself
};
std::array<Range, 8> library_ranges;
std::size_t library_range_count = 0;

const Range* library_of(std::uint64_t address) noexcept {
    for (std::size_t i = 0; i < library_range_count; ++i) {
        if (address - library_ranges[i].low < library_ranges[i].high - library_ranges[i].low) {
            return &library_ranges[i];
        }
    }
    return nullptr;
}

bool in_library(std::uint64_t address) noexcept { return library_of(address) != nullptr; }

/// Not if the layer is part of the program itself.
bool in_layer(std::uint64_t address) noexcept {
    const auto own = reinterpret_cast<std::uint64_t>(&in_library);
    return std::any_of(logged.begin(), logged.end(), [&](const Module& module) {
        return !module.name.empty() && module.contains(own) && module.contains(address);
    });
}

std::string file_of(const Module& module) {
    const auto known = std::find(prepared.modules.begin(), prepared.modules.end(), module);
    if (known != prepared.modules.end()) {
        return prepared.files[static_cast<std::size_t>(known - prepared.modules.begin())];
    }
    char path[PATH_MAX];
    if (module.name.empty()) {
        const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
        return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : std::string();
    }
    return realpath(module.name.c_str(), path) != nullptr ? std::string(path) : module.name;
}

int visit_module(dl_phdr_info* info, std::size_t /*size*/, void* found) {
    if (info->dlpi_adds == loads_seen) {
        return 1;
    }
    Module module{.low = UINT64_MAX, .high = 0, .bias = info->dlpi_addr, .name = info->dlpi_name};
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& segment = info->dlpi_phdr[i];
        if (segment.p_type == PT_LOAD) {
            module.low = std::min<std::uint64_t>(module.low, info->dlpi_addr + segment.p_vaddr);
            module.high = std::max<std::uint64_t>(module.high, info->dlpi_addr + segment.p_vaddr + segment.p_memsz);
        }
    }
    static_cast<std::vector<Module>*>(found)->push_back(std::move(module));
    return 0;
}

int read_load_count(dl_phdr_info* info, std::size_t /*size*/, void* count) {
    *static_cast<unsigned long long*>(count) = info->dlpi_adds;
    return 1;
}

bool is_called(const std::string& path, std::string_view beginning) { return file_name(path).starts_with(beginning); }

bool is_mpi_library(const std::string& path) { return is_called(path, "libmpich"); }

bool is_binding(const std::string& path) {
    return is_called(path, "libmpichfort") || is_called(path, "libmpichcxx") || is_called(path, "libmpi_usempi") ||
           is_called(path, "libdampi-openmpi");
}

// ---- walking the stack -----------------------------------------------------------------------------------

struct Walk {
    bool met_library = false;
    std::uint64_t site = 0;
    std::uint64_t slot = 0;  ///< the stack slot that holds the return address into the program
};

_Unwind_Reason_Code visit_frame(_Unwind_Context* context, void* argument) {
    Walk& walk = *static_cast<Walk*>(argument);
    const std::uint64_t return_address = _Unwind_GetIP(context);
    if (in_library(return_address - 1)) {
        walk.met_library = true;
    } else if (walk.met_library) {
        walk.site = return_address - 1;
        // What is called the frame's address here is the stack pointer after the call that it makes.
        walk.slot = _Unwind_GetCFA(context) - sizeof(void*);
        return _URC_NORMAL_STOP;
    }
    return _URC_NO_REASON;
}

// The distance between an object in the MPI function's frame and the slot with the return address into the
// program depends only on the code between, so on the binding's call: it is learnt by walking the stack a few
// times and used after that. Direct-mapped by the address of the binding's call.
struct Distance {
    std::uint64_t return_address = 0;
    std::uint64_t distance = 0;
    unsigned agreed = 0;
};
constexpr unsigned agreements = 4;
constexpr unsigned never = ~0U;
constexpr std::size_t distances = 1024;
__attribute__((tls_model("initial-exec"))) thread_local std::array<Distance, distances>* learnt = nullptr;

std::uint64_t site_behind_library(std::uint64_t return_address, const void* anchor) noexcept {
    Distance* entry = nullptr;
    if (anchor != nullptr) {
        if (learnt == nullptr) {
            learnt = new std::array<Distance, distances>{};  // lives as long as the process
        }
        entry = &(*learnt)[(return_address ^ return_address >> 10) % distances];
        if (entry->return_address == return_address && entry->agreed != never && entry->agreed >= agreements) {
            const auto slot = reinterpret_cast<std::uint64_t>(anchor) + entry->distance;
            return *reinterpret_cast<const std::uint64_t*>(slot) - 1;
        }
    }
    Walk walk;
    _Unwind_Backtrace(visit_frame, &walk);
    if (walk.site == 0) {
        return return_address - 1;
    }
    if (entry != nullptr) {
        const std::uint64_t distance = walk.slot - reinterpret_cast<std::uint64_t>(anchor);
        const bool readable = *reinterpret_cast<const std::uint64_t*>(walk.slot) == walk.site + 1;
        if (entry->return_address != return_address) {
            *entry = {return_address, distance, readable ? 1 : never};
        } else if (entry->agreed != never) {
            entry->agreed = readable && entry->distance == distance ? entry->agreed + 1 : never;
        }
    }
    return walk.site;
}

_Unwind_Reason_Code visit_innermost(_Unwind_Context* context, void* site) {
    const std::uint64_t address = _Unwind_GetIP(context) - 1;
    if (in_library(address) || in_layer(address)) {
        return _URC_NO_REASON;
    }
    *static_cast<std::uint64_t*>(site) = address;
    return _URC_NORMAL_STOP;
}

}  // namespace

void prepare_modules() {
    std::vector<Module> present;
    dl_iterate_phdr(visit_module, &present);
    for (const Module& module : present) {
        prepared.files.push_back(file_of(module));
    }
    prepared.modules = std::move(present);
    dl_iterate_phdr(read_load_count, &prepared.loads);
}

void log_modules(Core& core) {
    unsigned long long loads = 0;
    dl_iterate_phdr(read_load_count, &loads);
    if (loads == loads_seen) {
        return;
    }
    std::vector<Module> present;
    if (loads == prepared.loads) {
        present = prepared.modules;  // looking at each would touch a page of each
    } else {
        dl_iterate_phdr(visit_module, &present);
    }
    loads_seen = loads;
    for (Module& module : present) {
        const bool known = std::find(logged.begin(), logged.end(), module) != logged.end();
        if (known || module.low >= module.high || module.name == "linux-vdso.so.1") {
            continue;
        }
        const std::string path = file_of(module);
        core.log.append(
            transport::ModuleRecord{.low = module.low, .high = module.high, .bias = module.bias, .path = path});
        const bool for_the_program = is_binding(path);
        if ((is_mpi_library(path) || for_the_program || is_other_tool(module.low)) &&
            library_range_count < library_ranges.size()) {
            library_ranges[library_range_count++] = {module.low, module.high, for_the_program};
        }
        logged.push_back(std::move(module));
    }
    find_python();
}

bool is_mpi_code(const void* return_address) noexcept {
    const Range* const library = library_of(reinterpret_cast<std::uint64_t>(return_address) - 1);
    return library_range_count == 0 || (library != nullptr && !library->is_binding);
}

bool is_logged_place(std::uint64_t address) noexcept {
    return address >= transport::stack_places ||
           std::any_of(logged.begin(), logged.end(), [&](const Module& module) { return module.contains(address); });
}

bool is_library_place(const void* address) noexcept {
    return std::any_of(logged.begin(), logged.end(), [&](const Module& module) {
        return module.contains(reinterpret_cast<std::uint64_t>(address)) &&
               module.name.find("libmpich.so") != std::string::npos;
    });
}

std::uint64_t stable_place(Core& core, std::uint64_t address) {
    if (address >= transport::script_places) {
        return stable_python_place(address);
    }
    if (!is_logged_place(address)) {
        log_modules(core);
    }
    const auto module =
        std::find_if(logged.begin(), logged.end(), [&](const Module& each) { return each.contains(address); });
    base::Hash hash;
    if (module == logged.end()) {
        return hash.value();  // code that was made while the program runs
    }
    return hash.add(module->name).add(address - module->bias).value();
}

std::uint64_t innermost_program_site() noexcept {
    std::uint64_t site = 0;
    _Unwind_Backtrace(visit_innermost, &site);
    return site;
}

std::uint64_t program_site(const void* return_address, const void* anchor) noexcept {
    const auto address = reinterpret_cast<std::uint64_t>(return_address);
    return in_library(address - 1) ? site_behind_library(address, anchor) : address - 1;
}

}  // namespace dampi::piggyback
