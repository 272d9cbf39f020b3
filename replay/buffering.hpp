// What becomes of a standard-mode send (MPI_Send, MPI_Isend, ...) whose receive is not there yet: MPI leaves it open,
// dampi-run lets the user choose.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace dampi::replay {

enum class Buffering : std::uint32_t {
    native,    ///< as the MPI library does it: small messages are buffered, large ones wait for their receive
    zero,      ///< nothing is buffered: each waits for its receive, like a synchronous send
    infinite,  ///< everything is buffered: none waits
};

inline constexpr std::array<Buffering, 3> all_bufferings{Buffering::native, Buffering::zero, Buffering::infinite};

/// A message size that no message reaches: see launch/transport.hpp.
inline constexpr std::uint64_t no_rendezvous = std::numeric_limits<std::uint64_t>::max();

/// As options, files and reports say it.
[[nodiscard]] constexpr std::string_view buffering_name(Buffering buffering) {
    switch (buffering) {
        case Buffering::zero:
            return "zero";
        case Buffering::infinite:
            return "infinite";
        case Buffering::native:
            break;
    }
    return "native";
}

/// The inverse; nothing when the word is none of them.
[[nodiscard]] constexpr std::optional<Buffering> buffering_of(std::string_view name) {
    for (const Buffering buffering : all_bufferings) {
        if (name == buffering_name(buffering)) {
            return buffering;
        }
    }
    return std::nullopt;
}

}  // namespace dampi::replay
