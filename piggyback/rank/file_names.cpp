#include "piggyback/rank/file_names.hpp"

#include <dlfcn.h>

namespace dampi::piggyback {

std::string_view file_of(const void* code) noexcept {
    Dl_info where{};
    return dladdr(code, &where) == 0 || where.dli_fname == nullptr ? std::string_view() : file_name(where.dli_fname);
}

}  // namespace dampi::piggyback
