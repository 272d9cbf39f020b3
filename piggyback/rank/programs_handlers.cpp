#include "piggyback/rank/programs_handlers.hpp"

#include "piggyback/rank/file_names.hpp"

#include <array>

namespace dampi::piggyback {

bool is_of_library(std::uintptr_t function, std::string_view beginning) noexcept {
    return file_of(reinterpret_cast<const void*>(function)).starts_with(beginning);
}

bool is_programs_handler(std::uintptr_t handler) noexcept {
    constexpr std::array<std::string_view, 4> not_the_programs{"libdampi", "libmpi", "libuc", "libfabric"};
    return !begins_like_one_of(file_of(reinterpret_cast<const void*>(handler)), not_the_programs);
}

bool only_tells_of_death(std::uintptr_t handler) noexcept {
    constexpr std::array<std::string_view, 5> runtimes{"libgfortran.", "libasan.", "libtsan.", "libubsan.", "liblsan."};
    return begins_like_one_of(file_of(reinterpret_cast<const void*>(handler)), runtimes);
}

}  // namespace dampi::piggyback
