// What becomes of a standard-mode send (MPI_Send, MPI_Isend, ...) whose receive is not there yet: MPI leaves it open,
// dampi-run lets the user choose.
#pragma once

#include <array>
#include <charconv>
#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dampi::replay {

class Buffering {
public:
    enum class Kind : std::uint32_t {
        native,    ///< as the MPI library does it: small messages are buffered, large ones wait for their receive
        zero,      ///< nothing is buffered: each waits for its receive, like a synchronous send
        infinite,  ///< everything is buffered: none waits
        /// Each rank has so many bytes for its messages in standard mode. A message takes as many of them as it has
        /// data, from its send to its receive. Space is given in the order of the sends: one that does not fit waits
        /// until it does, or until it is received. A message that is larger than all of it waits for its receive, and
        /// keeps no other back. The centralized engine alone can do that.
        bytes,
    };

    static const Buffering native;
    static const Buffering zero;
    static const Buffering infinite;
    /// From 1 on.
    [[nodiscard]] static constexpr Buffering of_bytes(std::uint64_t bytes) { return {Kind::bytes, bytes}; }

    constexpr Buffering() = default;
    /// The inverse of kind() and bytes(); nothing where they do not belong together.
    [[nodiscard]] static constexpr std::optional<Buffering> made_of(Kind kind, std::uint64_t bytes) {
        return (kind == Kind::bytes) == (bytes != 0) ? std::optional(Buffering(kind, bytes)) : std::nullopt;
    }

    [[nodiscard]] constexpr Kind kind() const { return kind_; }
    /// How many there are; 0 where they are not counted.
    [[nodiscard]] constexpr std::uint64_t bytes() const { return bytes_; }
    [[nodiscard]] constexpr bool counts_bytes() const { return kind_ == Kind::bytes; }

    constexpr auto operator<=>(const Buffering&) const = default;

private:
    constexpr Buffering(Kind kind, std::uint64_t bytes) : kind_(kind), bytes_(bytes) {}

    Kind kind_ = Kind::native;
    std::uint64_t bytes_ = 0;
};

inline constexpr Buffering Buffering::native{Kind::native, 0};
inline constexpr Buffering Buffering::zero{Kind::zero, 0};
inline constexpr Buffering Buffering::infinite{Kind::infinite, 0};

/// Those of `--buffering all`, in this order.
inline constexpr std::array<Buffering, 3> all_bufferings{Buffering::native, Buffering::zero, Buffering::infinite};

/// Those of `--buffering both`, the default: what the library does first, and then what MPI allows any other to do.
inline constexpr std::array<Buffering, 2> both_bufferings{Buffering::native, Buffering::zero};

/// A message size that no message reaches: see launch/transport.hpp.
inline constexpr std::uint64_t no_rendezvous = std::numeric_limits<std::uint64_t>::max();

/// As options, files and reports say it: a word, or the number of bytes.
[[nodiscard]] inline std::string buffering_name(Buffering buffering) {
    switch (buffering.kind()) {
        case Buffering::Kind::zero:
            return "zero";
        case Buffering::Kind::infinite:
            return "infinite";
        case Buffering::Kind::bytes:
            return std::to_string(buffering.bytes());
        case Buffering::Kind::native:
            break;
    }
    return "native";
}

/// The inverse; nothing when the word names no buffering and is no number from 1 on.
[[nodiscard]] inline std::optional<Buffering> buffering_of(std::string_view name) {
    for (const Buffering buffering : all_bufferings) {
        if (name == buffering_name(buffering)) {
            return buffering;
        }
    }
    std::uint64_t bytes = 0;
    const auto [stopped, error] = std::from_chars(name.data(), name.data() + name.size(), bytes);
    if (error != std::errc{} || stopped != name.data() + name.size() || bytes == 0) {
        return std::nullopt;
    }
    return Buffering::of_bytes(bytes);
}

/// As `--buffering` takes several modes that are explored one after the other: "both", "all"; and one by its name.
[[nodiscard]] inline std::string buffering_word(const std::vector<Buffering>& modes) {
    return modes.size() == 1 ? buffering_name(modes.front()) : modes.size() == both_bufferings.size() ? "both" : "all";
}

/// The inverse; nothing when the word names no bufferings.
[[nodiscard]] inline std::optional<std::vector<Buffering>> bufferings_of(std::string_view word) {
    if (word == "both") {
        return std::vector(both_bufferings.begin(), both_bufferings.end());
    }
    if (word == "all") {
        return std::vector(all_bufferings.begin(), all_bufferings.end());
    }
    const auto one = buffering_of(word);
    return one ? std::optional(std::vector{*one}) : std::nullopt;
}

}  // namespace dampi::replay
