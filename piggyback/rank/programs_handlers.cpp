#include "piggyback/rank/programs_handlers.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <dlfcn.h>

namespace dampi::piggyback {
namespace {

/// Of its file, without folders; empty where there is none.
std::string_view library_of(std::uintptr_t function) noexcept {
    Dl_info module{};
    if (dladdr(reinterpret_cast<void*>(function), &module) == 0 || module.dli_fname == nullptr) {
        return {};
    }
    const char* const slash = std::strrchr(module.dli_fname, '/');
    return slash == nullptr ? module.dli_fname : slash + 1;
}

}  // namespace

bool is_of_library(std::uintptr_t function, std::string_view beginning) noexcept {
    return library_of(function).starts_with(beginning);
}

bool is_programs_handler(std::uintptr_t handler) noexcept {
    const std::string_view name = library_of(handler);
    constexpr std::array<std::string_view, 4> not_the_programs{"libdampi", "libmpi", "libuc", "libfabric"};
    return std::none_of(not_the_programs.begin(), not_the_programs.end(),
                        [&](std::string_view each) { return name.starts_with(each); });
}

}  // namespace dampi::piggyback
