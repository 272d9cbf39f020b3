// Where runs of a sweep meet: a run that comes to a state in which an earlier one has been may end there
// (docs/architecture/equal-states.md). Plain data; decides nothing.
#pragma once

#include "base/types.hpp"
#include "replay/epoch.hpp"
#include "replay/members.hpp"

#include <compare>
#include <cstdint>
#include <vector>

namespace dampi::replay {

/// The run has ended in a state in which an earlier one has been: what follows from here on is what follows there.
struct Merge {
    std::uint64_t run = 0;      ///< the earlier one's Interleaving::meeting_number
    std::uint32_t settled = 0;  ///< so many of its epochs had come to their outcome there (Epoch::settled)

    auto operator<=>(const Merge&) const = default;

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        members(archive, run, settled);
    }
};

/// The run has been in a state in which an earlier one had been, and has gone on to see whether the same follows.
struct Meeting {
    Merge earlier;
    std::uint32_t settled = 0;  ///< so many of its own epochs had come to their outcome

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        members(archive, earlier, settled);
    }
};

/// Of messages that one rank sends to another, so many that a receive could take, by what it asks for.
struct Sent {
    Rank source = 0;
    std::uint64_t messages = 0;

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        members(archive, source, messages);
    }
};

/// An epoch that had come to its outcome before a state, and could have come to another one by what is still to happen
/// there without knowing of it.
struct OpenEpoch {
    EpochId epoch;
    std::vector<Sent> sources = {};  ///< whose next message could be late for it, and what they had sent
    /// Of a choice among requests: of those that are not complete.
    std::vector<std::uint32_t> positions = {};

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        members(archive, epoch, sources, positions);
    }
};

/// An epoch, and of each source what it has sent, of what fits, without knowing of the outcome.
struct SentUnaware {
    EpochId epoch;
    std::vector<Sent> sources = {};
};

/// A state in which other runs may end though what follows it may show alternatives of epochs before it.
struct OpenState {
    std::uint32_t settled = 0;  ///< so many of the run's epochs had come to their outcome
    bool is_exact = false;      ///< these are only the epochs of which a next message would be an alternative
    std::vector<OpenEpoch> epochs;

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        members(archive, settled, is_exact, epochs);
    }
};

}  // namespace dampi::replay
