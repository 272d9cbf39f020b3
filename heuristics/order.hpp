// In which order the interleavings that are left are run. It decides what is found early, and never what belongs to the
// search.
#pragma once

#include <cstdint>

namespace dampi::heuristics {

enum class Order : std::uint8_t {
    newest,         ///< alternatives first that bring something not yet seen; among the others, any
    depth_first,    ///< what changes least
    breadth_first,  ///< in the order in which they became known
    random,
};
inline constexpr Order last_order = Order::random;

}  // namespace dampi::heuristics
