// The plain names that every part of dampi shares: ranks, tags, communicators and messages.
// Pure values; nothing here knows MPI, processes or files.
#pragma once

#include <compare>
#include <cstdint>

namespace dampi::base {

/// A process, by its rank in MPI_COMM_WORLD.
using Rank = std::int32_t;
using Tag = std::int32_t;

/// A communicator's name: the same number in every member, the same in every run of one program.
using CommId = std::uint64_t;

inline constexpr Rank any_source = -1;
inline constexpr Tag any_tag = -1;

/// The name of MPI_COMM_WORLD.
inline constexpr CommId world_comm = 1;

/// A rank's operations that can match messages are numbered in posting order: an operation can only have
/// taken a message from an epoch that was posted before it.
using PostingOrder = std::uint64_t;

/// A message's name survives replay: the sender, the communicator, and its number (from 0) among the
/// messages from that sender to that destination on that communicator.
struct MessageName {
    Rank source = any_source;
    CommId comm = 0;
    std::uint64_t number = 0;

    auto operator<=>(const MessageName&) const = default;
};

/// What a receive or a probe asks for. `source` may be any_source, `tag` any_tag.
struct ReceiveSpec {
    CommId comm = 0;
    Rank source = any_source;
    Tag tag = any_tag;

    [[nodiscard]] bool wildcard() const { return source == any_source; }

    /// Whether a message from `from` with tag `with` on communicator `on` satisfies this.
    [[nodiscard]] bool fits(CommId on, Rank from, Tag with) const {
        return comm == on && (source == any_source || source == from) && (tag == any_tag || tag == with);
    }

    auto operator<=>(const ReceiveSpec&) const = default;
};

}  // namespace dampi::base
