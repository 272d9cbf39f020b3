// Displacements of collectives that were too large for an int: 2^31 elements together are reached by a thousand ranks
// with two million numbers each. What an overflow leaves is the right value modulo 2^32; whether it is one is told by
// what the right value would be. (H. Li, dissertation, 2018, section 4.3.1, takes each negative displacement for one;
// MPI allows them.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace dampi::piggyback::arguments {

struct Overflow {
    std::size_t at = 0;      ///< the first displacement that has overflowed
    std::int32_t is = 0;     ///< what it is
    std::int64_t meant = 0;  ///< what it would have been
};

/// Of `count` displacements. `length` says how much data the block of a rank is, in their unit. One counts as
/// overflowed where it is what 32 bits leave of where the block before it ends, or of a distance from it that the one
/// before had, too.
[[nodiscard]] std::optional<Overflow> find_overflow(std::size_t count, const int* displacements,
                                                    const std::function<std::int64_t(std::size_t)>& length);

/// "element 2 is -2147483648, which is what 32 bits leave of 2147483648".
[[nodiscard]] std::string text_of(const Overflow& overflow);

}  // namespace dampi::piggyback::arguments
