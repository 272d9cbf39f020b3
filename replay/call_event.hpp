// One MPI call of the program's that communicates, as a run had it: what was asked, when it was issued and when it came
// to something, and which call of another rank it met. Plain values, independent of the engine. A run lists them only
// if somebody wants to see them.
//
// Operations, not calls, are counted: MPI_Sendrecv and MPI_Startall are several. Listed are sends, receives, probes
// that found something, collectives, waits, tests that answered true, MPI_Finalize and MPI_Abort; where that is wanted,
// also probes and tests that answered false, each once until another call follows: as it was made last.
#pragma once

#include "replay/epoch.hpp"
#include "replay/members.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dampi::replay {

/// A call of the list.
struct CallName {
    Rank rank = 0;
    std::uint32_t index = 0;  ///< counts the rank's listed calls in the order of issue

    auto operator<=>(const CallName&) const = default;

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        members(archive, rank, index);
    }
};

enum class CallKind : std::uint8_t {
    send,
    receive,
    probe,
    collective,
    completion,  ///< a wait or a test
    finalize,
    abort,
};
template <>
struct LastValue<CallKind> {
    static constexpr auto value = CallKind::abort;
};

/// In CallEvent::requests and completed: a request of nothing that is listed.
inline constexpr std::uint32_t not_listed = ~std::uint32_t{0};

struct CallEvent {
    CallName name;
    CallKind kind = CallKind::send;
    std::string function;  ///< "MPI_Irecv"
    CodePlace where;
    // Of sends, receives and probes
    int peer = 0;  ///< rank in the communicator, as the program gave it; any_source
    Tag tag = 0;   ///< or any_tag
    // Of these and of collectives
    CommId comm = 0;
    std::vector<Rank> members;  ///< of the communicator, where known: world ranks, sorted
    /// Of completions: those of the rank's calls whose requests it was given, each at its request's place.
    std::vector<std::uint32_t> requests;
    std::vector<std::uint32_t> completed;  ///< of these, those that it reported
    std::uint64_t order = 0;               ///< place of the issue among all calls of the run, from 1
    /// Place among all calls of the run, from 1, by when they came to something: their match, the last member's
    /// entering, their return (of probes and tests that answered false, too). None: they never did.
    std::optional<std::uint64_t> issue;
    std::optional<CallName> match;       ///< of sends and receives: each other; of probes: the send
    std::optional<std::uint32_t> epoch;  ///< EpochId::index of the choice that it made

    // The communicator's members are another word there.
    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, name, kind, function, where, peer, tag, comm, members, requests, completed, order,
                        issue, match, epoch);
    }
};

/// Where it is in a list that is sorted by name; nothing: it is not in it.
[[nodiscard]] std::optional<std::size_t> place_of(const std::vector<CallEvent>& calls, const CallName& name);

/// Whether the function only begins the operation.
[[nodiscard]] bool is_nonblocking(const CallEvent& call);

}  // namespace dampi::replay
