// What a state is made of, part by part, for tests of dampi that leave one out: they show that it is noticed
// (--merge-states check, oracle_check --without). Nobody else leaves anything out.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dampi::transport::requests {

/// Of a rank, and of the machine.
enum class StatePart : std::uint8_t {
    memory,
    stack,
    registers,
    call,  ///< in which the rank waits, with its arguments
    rank,  ///< all of that, and the layer's own
    fence,
    postings,
    receives,  ///< what a posted receive asks for
    messages,  ///< those that nobody has received
    contents,  ///< of messages
    collectives,
    past,  ///< what is going on may bear on what was before
};

inline constexpr std::array<std::string_view, 12> names_of_state_parts{
    "memory",   "stack",    "registers", "call",     "rank",        "fence",
    "postings", "receives", "messages",  "contents", "collectives", "past"};

[[nodiscard]] constexpr std::uint32_t bit_of(StatePart part) {
    return std::uint32_t{1} << static_cast<std::uint32_t>(part);
}

/// The bit of the part with this name; nothing: there is none.
[[nodiscard]] constexpr std::optional<std::uint32_t> state_part_of(std::string_view name) {
    for (std::size_t i = 0; i < names_of_state_parts.size(); ++i) {
        if (names_of_state_parts[i] == name) {
            return bit_of(static_cast<StatePart>(i));
        }
    }
    return std::nullopt;
}

}  // namespace dampi::transport::requests
