// Finds the functions behind this library when it is loaded: the layer's, which comes after it in the order of symbols,
// or where there is none MPICH's own; and where MPICH is, whose own calls by the names of MPI are not the program's.
#include "piggyback/openmpi/by_hand.hpp"

#include <cstdint>
#include <cstring>

#include <dlfcn.h>
#include <link.h>

extern "C" {
__attribute__((visibility("hidden"))) extern void* dampi_openmpi_next[];
__attribute__((visibility("hidden"))) extern void* dampi_openmpi_native[];
__attribute__((visibility("hidden"))) extern const char* const dampi_openmpi_names[];
/// Begin and size of MPICH, and of the layer.
__attribute__((visibility("hidden"))) std::uint64_t dampi_openmpi_behind[4] = {};

__attribute__((visibility("default"), tls_model("initial-exec"))) thread_local const void* const* dampi_openmpi_return =
    nullptr;

/// Open MPI's own extension.
__attribute__((visibility("default"))) int MPIX_Query_cuda_support() { return 0; }
}

namespace {

struct Range {
    const char* path = nullptr;
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
};

Range range_of(const dl_phdr_info& info) {
    std::uint64_t low = UINT64_MAX;
    std::uint64_t high = 0;
    for (int i = 0; i < info.dlpi_phnum; ++i) {
        const auto& segment = info.dlpi_phdr[i];
        if (segment.p_type == PT_LOAD) {
            const std::uint64_t begin = info.dlpi_addr + segment.p_vaddr;
            low = begin < low ? begin : low;
            high = begin + segment.p_memsz > high ? begin + segment.p_memsz : high;
        }
    }
    return {info.dlpi_name, low, high - low};
}

struct Found {
    Range mpich;
    Range own;
    Range layer;
    const void* in_layer = nullptr;
};

bool contains(const Range& range, const void* address) {
    return reinterpret_cast<std::uint64_t>(address) - range.begin < range.size;
}

int look_at_module(dl_phdr_info* info, std::size_t /*size*/, void* result) {
    auto& found = *static_cast<Found*>(result);
    const char* name = std::strrchr(info->dlpi_name, '/');
    const Range range = range_of(*info);
    if (name != nullptr && std::strncmp(name, "/libmpich.so", 12) == 0) {
        found.mpich = range;
    }
    if (contains(range, reinterpret_cast<const void*>(&look_at_module))) {
        found.own = range;
    }
    if (contains(range, found.in_layer)) {
        found.layer = range;
    }
    return 0;
}

const void* return_address() { return *dampi_openmpi_return; }

__attribute__((constructor)) void find_functions() {
    void* const layer = dlsym(RTLD_NEXT, "dampi_is_translated");
    Found found;
    found.in_layer = layer;
    dl_iterate_phdr(look_at_module, &found);
    dampi_openmpi_behind[0] = found.mpich.begin;
    dampi_openmpi_behind[1] = found.mpich.size;
    dampi_openmpi_behind[2] = found.layer.begin;
    dampi_openmpi_behind[3] = found.layer.size;
    void* mpich = found.mpich.path == nullptr ? nullptr : dlopen(found.mpich.path, RTLD_LAZY | RTLD_NOLOAD);
    for (std::size_t i = 0; dampi_openmpi_names[i] != nullptr; ++i) {
        dampi_openmpi_next[i] = dlsym(RTLD_NEXT, dampi_openmpi_names[i]);
        dampi_openmpi_native[i] = mpich == nullptr ? nullptr : dlsym(mpich, dampi_openmpi_names[i]);
    }
    using Register = void(std::uint64_t, std::uint64_t, const void* (*)());
    if (layer != nullptr) {
        reinterpret_cast<Register*>(layer)(found.own.begin, found.own.size, return_address);
    }
}

}  // namespace
