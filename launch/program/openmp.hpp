// Whether ThreadSanitizer gets to know what the program's OpenMP runtime orders. It does not see into that library, and
// takes what its threads do for races where nobody tells it.
#pragma once

#include "launch/program/program.hpp"

namespace dampi::launch {

enum class OpenMpOrder {
    told,        ///< there is none, or it is gcc's, and piggyback/openmp tells of each function that is used
    by_runtime,  ///< it is clang's, which tells it by a library of its own, where that is installed (Archer)
    untold
};

/// Of a program with ThreadSanitizer, and its libraries that have it as well.
[[nodiscard]] OpenMpOrder openmp_order(const Program& program);

/// Preloaded beside the layer, from the same folder.
inline constexpr const char* openmp_library = "libdampi-openmp.so";

}  // namespace dampi::launch
