// Makes the list of a run's calls (replay/call_event.hpp) from what is known of each rank by itself: which send a
// receive has met, when a collective had all its members, and one order for all of them.
#pragma once

#include "replay/call_event.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dampi::scheduler::central {

/// Counts whatever happens in a run, from 1.
using Moment = std::uint64_t;

/// The next call of a rank.
struct ListedCall {
    replay::CallKind kind = replay::CallKind::send;
    std::string function;
    std::uint64_t site = 0;
    Moment moment = 0;
    replay::CommId comm = 0;
    int peer = 0;
    replay::Tag tag = 0;
    replay::Rank destination = 0;         ///< of a send: rank in MPI_COMM_WORLD
    std::uint64_t number = 0;             ///< of a send: the message's; of a receive or probe: its own
    std::vector<std::uint32_t> requests;  ///< as in replay::CallEvent
    std::optional<std::uint32_t> epoch;   ///< likewise, of a completion
};

/// The rank's receive or probe `number` has met this message.
struct ListedMatch {
    std::uint64_t number = 0;
    base::MessageName message;
    Moment moment = 0;
    std::optional<std::uint32_t> epoch;  ///< as in replay::CallEvent
};

class CallLists {
public:
    explicit CallLists(std::size_t processes) : ranks_(processes) {}

    /// False for a call that makes no sense.
    [[nodiscard]] bool add(replay::Rank rank, ListedCall call);
    void add(replay::Rank rank, const ListedMatch& match);
    /// The rank's receive `number` has not met a message after all.
    void take_back(replay::Rank rank, std::uint64_t number);
    /// The rank's completion `index` was a choice.
    void chose(replay::Rank rank, std::uint32_t index, std::optional<std::uint32_t> epoch);
    /// The program has come back from the rank's call `index`; `completed` as in replay::CallEvent.
    void returned(replay::Rank rank, std::uint32_t index, Moment moment, std::vector<std::uint32_t> completed = {});

    /// All ranks' calls, sorted by name. `place` looks up an address of a rank's program; `members` are those of a
    /// communicator, world ranks, sorted.
    [[nodiscard]] std::vector<replay::CallEvent> calls(
        const std::function<replay::CodePlace(replay::Rank, std::uint64_t)>& place,
        const std::function<std::vector<replay::Rank>(replay::CommId)>& members) const;

private:
    static constexpr Moment never = ~Moment{0};

    struct Call {
        ListedCall listed;
        Moment returned = never;
        std::vector<std::uint32_t> completed = {};
    };
    struct OfRank {
        std::vector<Call> calls;
        /// By their numbers: receives and probes.
        std::map<std::uint64_t, std::uint32_t> posted;
        std::vector<ListedMatch> matched;
    };

    std::vector<OfRank> ranks_;
};

}  // namespace dampi::scheduler::central
