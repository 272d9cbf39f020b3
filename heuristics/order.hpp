// In which order the interleavings that are left are run. It decides what is found early, and never what belongs to the
// search.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dampi::heuristics {

enum class Order : std::uint8_t {
    newest,         ///< alternatives first that bring something not yet seen; among the others, any
    depth_first,    ///< what changes least
    breadth_first,  ///< in the order in which they became known
    random,
};
inline constexpr Order last_order = Order::random;

/// As the option --order takes it.
[[nodiscard]] constexpr std::string_view order_name(Order order) {
    constexpr std::array<std::string_view, 4> names{"newest", "dfs", "bfs", "random"};
    return names.at(static_cast<std::size_t>(order));
}

}  // namespace dampi::heuristics
