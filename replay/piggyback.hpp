// How the ranks find out which message a receive has taken, and which receive a synchronous message: see
// ARCHITECTURE.md, "Piggyback beside the message".
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dampi::replay {

enum class Piggyback : std::uint32_t {
    shared,  ///< by what lies in the memory that the ranks share: the messages' order tells
    native,  ///< by values in the MPI library's packets, which a patched library offers
};

inline constexpr std::array<Piggyback, 2> all_piggybacks{Piggyback::shared, Piggyback::native};

/// As options, files and reports say it.
[[nodiscard]] constexpr std::string_view piggyback_name(Piggyback piggyback) {
    return piggyback == Piggyback::native ? "native" : "shared";
}

/// The inverse; nothing when the word names no piggyback.
[[nodiscard]] constexpr std::optional<Piggyback> piggyback_of(std::string_view name) {
    for (const Piggyback piggyback : all_piggybacks) {
        if (name == piggyback_name(piggyback)) {
            return piggyback;
        }
    }
    return std::nullopt;
}

}  // namespace dampi::replay
