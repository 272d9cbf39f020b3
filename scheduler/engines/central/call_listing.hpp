// Lists the calls of a run of the centralized engine (replay/call_event.hpp) as the ranks hand them over and the
// machine matches them. A blocking call of the program's is several calls there; what only waits for its own operation
// is left out. Of polls that answer false, which a rank may make without end, only the last of each kind are listed.
#pragma once

#include "scheduler/engines/central/call_lists.hpp"
#include "scheduler/engines/central/machine.hpp"
#include "transport/requests/protocol.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace dampi::scheduler::central {

class CallListing {
public:
    /// The machine outlives it. With more than `most` calls there is no list. `false_polls`: polls that answer false
    /// are listed, too.
    CallListing(const Machine& machine, int processes, std::size_t most, bool false_polls)
        : machine_(machine),
          most_(most),
          false_polls_(false_polls),
          lists_(static_cast<std::size_t>(processes)),
          ranks_(static_cast<std::size_t>(processes)) {}

    /// Goes on where that one has come to, with a copy of its machine.
    CallListing(const CallListing& other, const Machine& machine)
        : machine_(machine),
          most_(other.most_),
          false_polls_(other.false_polls_),
          listed_(other.listed_),
          lists_(other.lists_),
          ranks_(other.ranks_),
          moment_(other.moment_) {}

    // A rank's call, before the machine takes it; false if it makes no sense.
    template <typename Call>
    bool take(Rank rank, const Call& call) {
        return too_many() || note(rank, call);
    }
    /// What the machine has matched since the last time, before its answers are handed out.
    void matched(const std::vector<MatchedCall>& matches);
    /// The rank is answered.
    void answered(Rank rank, const transport::requests::Answer& answer);

    [[nodiscard]] bool too_many() const { return listed_ > most_; }
    /// Not whole where there are too many.
    [[nodiscard]] CallLists lists() const;

private:
    bool note(Rank rank, const transport::requests::SendCall& call);
    bool note(Rank rank, const transport::requests::ReceiveCall& call);
    bool note(Rank rank, const transport::requests::PairCall& call);
    bool note(Rank rank, const transport::requests::CollectiveCall& call);
    bool note(Rank rank, const transport::requests::WaitCall& call);
    bool note(Rank rank, const transport::requests::ProbeCall& call);
    bool note(Rank rank, const transport::requests::FinalizeCall& call);
    bool note(Rank rank, const transport::requests::AbortCall& call);
    template <typename Other>
    bool note(Rank /*rank*/, const Other& /*call*/) {
        return true;
    }

    using Operation = transport::requests::Operation;

    /// What the rank waits for now.
    struct Waiting {
        std::optional<ListedCall> poll;       ///< to be listed if the answer is true
        std::optional<std::uint32_t> listed;  ///< returns with the answer
        std::uint64_t probe = 0;              ///< the number under which a probe is listed
    };
    struct FalsePoll {
        ListedCall listed;
        Moment answered = 0;
    };
    struct OfRank {
        std::uint32_t next = 0;
        std::unordered_map<Operation, std::uint32_t> listed;
        std::map<std::pair<CommId, Rank>, std::uint64_t> sent;
        std::uint64_t probes = 0;
        Waiting waiting;
        std::vector<FalsePoll> false_polls;  ///< since its last listed call: the different ones, as they came last
    };

    OfRank& of(Rank rank) { return ranks_[static_cast<std::size_t>(rank)]; }
    ListedCall make(replay::CallKind kind, const std::string& function, std::uint64_t site);
    /// Nothing comes between what the rank has polled before and the call that is listed next.
    void list_false_polls(Rank rank);
    void answered_false(Rank rank, ListedCall poll);
    bool list(Rank rank, ListedCall listed);
    std::vector<std::uint32_t> requests_of(Rank rank, const transport::requests::WaitCall& call);

    const Machine& machine_;
    std::size_t most_;
    bool false_polls_;
    std::size_t listed_ = 0;
    CallLists lists_;
    std::vector<OfRank> ranks_;
    Moment moment_ = 0;
};

}  // namespace dampi::scheduler::central
