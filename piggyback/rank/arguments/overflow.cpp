#include "piggyback/rank/arguments/overflow.hpp"

#include <algorithm>
#include <limits>

namespace dampi::piggyback::arguments {
namespace {

/// What is left of the value where it is `is`, and is not the value itself.
bool has_become(std::int64_t value, int is) {
    return value > std::numeric_limits<int>::max() &&
           static_cast<std::int32_t>(static_cast<std::uint32_t>(value)) == is;
}

}  // namespace

std::optional<Overflow> find_overflow(std::size_t count, const int* displacements,
                                      const std::function<std::int64_t(std::size_t)>& length) {
    // Whatever has overflowed first is smaller than the one before it.
    const int* const end = displacements + count;
    const int* const smaller = std::is_sorted_until(displacements, end);
    if (smaller == end) {
        return std::nullopt;
    }
    const std::int64_t before = smaller[-1];
    std::int64_t meant =
        before + std::max<std::int64_t>(length(static_cast<std::size_t>(smaller - displacements) - 1), 0);
    if (!has_become(meant, *smaller) && smaller - displacements >= 2) {
        meant = before + (before - smaller[-2]);
    }
    return has_become(meant, *smaller)
               ? std::optional(
                     Overflow{.at = static_cast<std::size_t>(smaller - displacements), .is = *smaller, .meant = meant})
               : std::nullopt;
}

std::string text_of(const Overflow& overflow) {
    return "element " + std::to_string(overflow.at) + " is " + std::to_string(overflow.is) +
           ", which is what 32 bits leave of " + std::to_string(overflow.meant);
}

}  // namespace dampi::piggyback::arguments
