#include "scheduler/watch/facts.hpp"

#include "scheduler/judgement/stuck_ranks.hpp"
#include "scheduler/judgement/wait_for_graph.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace dampi::scheduler::watch {
namespace {

using transport::WaitKind;
using transport::watch::anything;
using transport::watch::key_of_pair;
using transport::watch::NeedKind;

/// Of members that a collective lacks so many are told apart, those that are blocked before others.
constexpr std::size_t most_missing = 64;

class Facts {
public:
    Facts(const std::vector<RankFacts>& ranks, Room room) : room_(room), by_rank_(ranks.size(), nullptr) {
        for (const RankFacts& rank : ranks) {
            const bool is_new = rank.rank >= 0 && static_cast<std::size_t>(rank.rank) < by_rank_.size() &&
                                by_rank_[static_cast<std::size_t>(rank.rank)] == nullptr;
            if (!is_new || static_cast<std::size_t>(rank.size) != ranks.size()) {
                doubt_ = "not all ranks of the job can be seen";
                return;
            }
            if (!rank.doubt.empty() && doubt_.empty()) {
                doubt_ = fmt::format("rank {}: {}", rank.rank, rank.doubt);
            }
            by_rank_[static_cast<std::size_t>(rank.rank)] = &rank;
            for (const RankFacts::Communicator& communicator : rank.communicators) {
                members_[communicator.name].push_back(rank.rank);
            }
        }
    }

    [[nodiscard]] const std::string& doubt() const { return doubt_; }

    [[nodiscard]] RankState state_of(const RankFacts& rank) const {
        RankState state;
        state.finalized = rank.ended;
        state.blocked = rank.blocked && !rank.ended;
        state.any = rank.any;
        state.call = rank.function;
        if (state.blocked) {
            for (const RankFacts::Need& need : rank.needs) {
                add_waits(rank, need, state);
            }
        }
        return state;
    }

    [[nodiscard]] std::string name_of(base::CommId communicator) const {
        if (communicator == transport::watch::world_name) {
            return "MPI_COMM_WORLD";
        }
        const auto found = members_.find(communicator);
        const std::size_t count = found == members_.end() ? 0 : found->second.size();
        return fmt::format("a communicator of {} rank{}", count, count == 1 ? "" : "s");
    }

private:
    [[nodiscard]] const RankFacts* rank(int number) const {
        return number >= 0 && static_cast<std::size_t>(number) < by_rank_.size()
                   ? by_rank_[static_cast<std::size_t>(number)]
                   : nullptr;
    }

    static const RankFacts::Communicator* communicator_of(const RankFacts& rank, std::uint64_t name) {
        const auto found = std::find_if(rank.communicators.begin(), rank.communicators.end(),
                                        [name](const auto& one) { return one.name == name; });
        return found == rank.communicators.end() ? nullptr : &*found;
    }

    static RankFacts::Counts counts(const RankFacts& rank, std::uint64_t communicator, int peer, int tag) {
        const auto found = rank.pairs.find(key_of_pair(communicator, peer, tag));
        return found == rank.pairs.end() ? RankFacts::Counts{} : found->second;
    }

    /// Whether fewer than `limit` messages of `sender`'s that fit are on their way to `receiver`, or with it.
    [[nodiscard]] bool fewer_on_their_way(const RankFacts& receiver, const RankFacts& sender,
                                          std::uint64_t communicator, int tag, std::uint64_t limit) const {
        const auto* own = communicator_of(receiver, communicator);
        if (own == nullptr) {
            return false;
        }
        if (!receiver.has_counts || !sender.has_counts) {
            return true;
        }
        if (own->anonymous != 0) {
            // Whom some have come from is not known: so none may be on its way from anybody.
            std::uint64_t sent = 0;
            for (const RankFacts* other : by_rank_) {
                sent += counts(*other, communicator, receiver.rank, anything).sent;
            }
            return sent == own->received;
        }
        const int by_tag = receiver.tags_lost || sender.tags_lost ? anything : tag;
        const std::uint64_t sent = counts(sender, communicator, receiver.rank, by_tag).sent;
        const std::uint64_t received = counts(receiver, communicator, sender.rank, by_tag).received;
        return received <= sent && sent - received < limit;
    }

    [[nodiscard]] bool nothing_comes(const RankFacts& receiver, const RankFacts::Need& need,
                                     const std::vector<base::Rank>& senders) const {
        // As many receives of the call ask for the same: one of them gets nothing where fewer messages are there.
        const auto alike = std::count_if(receiver.needs.begin(), receiver.needs.end(), [&need](const auto& other) {
            return other.kind == need.kind && other.communicator == need.communicator && other.peer == need.peer &&
                   other.tag == need.tag;
        });
        const bool is_alone = receiver.any || need.peer == anything || need.tag == anything;
        return std::all_of(senders.begin(), senders.end(), [&](base::Rank sender) {
            const RankFacts* from = rank(sender);
            return from != nullptr && fewer_on_their_way(receiver, *from, need.communicator, need.tag,
                                                         is_alone ? 1 : static_cast<std::uint64_t>(alike));
        });
    }

    /// Whether the peer has not received the message, and has no receive that could get it.
    [[nodiscard]] bool is_unreceived(const RankFacts& sender, const RankFacts::Need& need) const {
        const RankFacts* peer = rank(need.peer);
        const auto* there = peer == nullptr ? nullptr : communicator_of(*peer, need.communicator);
        if (there == nullptr || need.number == 0 || sender.tags_lost || peer->tags_lost) {
            return false;
        }
        if (!sender.has_counts || !peer->has_counts) {
            return true;
        }
        const std::uint64_t received =
            counts(*peer, need.communicator, sender.rank, need.tag).received + there->anonymous;
        const std::uint64_t posted = counts(*peer, need.communicator, sender.rank, need.tag).posted +
                                     counts(*peer, need.communicator, sender.rank, anything).posted +
                                     counts(*peer, need.communicator, anything, need.tag).posted +
                                     counts(*peer, need.communicator, anything, anything).posted;
        return posted == 0 && need.number > received;
    }

    /// Nothing: not all are known.
    [[nodiscard]] std::optional<std::vector<base::Rank>> all_members(const RankFacts& of, std::uint64_t name) const {
        const auto* own = communicator_of(of, name);
        const auto found = members_.find(name);
        const bool is_all =
            own != nullptr && found != members_.end() && found->second.size() == static_cast<std::size_t>(own->size);
        return is_all ? std::optional(found->second) : std::nullopt;
    }

    [[nodiscard]] bool has_entered(const RankFacts& member, const RankFacts::Need& need) const {
        const auto* there = communicator_of(member, need.communicator);
        return there == nullptr || there->collectives >= need.number;
    }

    void add_missing(const RankFacts& waiting, const RankFacts::Need& need, Wait wait, RankState& state) const {
        const auto* own = communicator_of(waiting, need.communicator);
        const auto members = members_.find(need.communicator);
        std::vector<base::Rank> missing;
        for (const base::Rank number : members == members_.end() ? std::vector<base::Rank>{} : members->second) {
            const RankFacts& member = *rank(number);
            const bool is_lower = own != nullptr && communicator_of(member, need.communicator)->own < own->own;
            if ((need.kind == NeedKind::all_enter || is_lower) && !has_entered(member, need)) {
                missing.push_back(number);
            }
        }
        if (waiting.any) {  // any of what the rank waits for is enough, but of this all are needed
            wait.may_be_satisfied = missing.empty() || !all_members(waiting, need.communicator);
            wait.providers = std::move(missing);
            state.waits.push_back(std::move(wait));
            return;
        }
        std::stable_partition(missing.begin(), missing.end(),
                              [this](base::Rank number) { return rank(number)->blocked || rank(number)->ended; });
        missing.resize(std::min(missing.size(), most_missing));
        for (const base::Rank number : missing) {
            wait.providers = {number};
            state.waits.push_back(wait);
        }
    }

    void add_waits(const RankFacts& waiting, const RankFacts::Need& need, RankState& state) const {
        Wait wait{.peer = need.peer, .tag = need.tag, .comm = need.communicator, .number = need.number};
        wait.may_be_satisfied = true;
        switch (need.kind) {
            case NeedKind::message: {
                wait.kind = WaitKind::receive;
                const auto senders = need.peer == anything ? all_members(waiting, need.communicator)
                                                           : std::optional(std::vector<base::Rank>{need.peer});
                if (senders) {
                    wait.providers = *senders;
                    wait.may_be_satisfied = !nothing_comes(waiting, need, *senders);
                }
                break;
            }
            case NeedKind::receipt:
            case NeedKind::room:
                wait.kind = WaitKind::send;
                wait.synchronous = need.kind == NeedKind::receipt;
                wait.providers = {need.peer};
                wait.may_be_satisfied =
                    (!wait.synchronous && room_ == Room::may_be_found) || !is_unreceived(waiting, need);
                break;
            case NeedKind::all_enter:
            case NeedKind::lower_enter:
                wait.kind = WaitKind::collective;
                wait.may_be_satisfied = false;
                add_missing(waiting, need, std::move(wait), state);
                return;
            case NeedKind::peer_enters:
                wait.kind = WaitKind::collective;
                wait.providers = {need.peer};
                wait.may_be_satisfied = rank(need.peer) == nullptr || has_entered(*rank(need.peer), need);
                break;
            default:  // whatever stands there
                break;
        }
        state.waits.push_back(std::move(wait));
    }

    Room room_;
    std::vector<const RankFacts*> by_rank_;
    std::map<std::uint64_t, std::vector<base::Rank>> members_;  ///< of communicators, as far as they say so
    std::string doubt_;
};

}  // namespace

Conclusion find_deadlock(const std::vector<RankFacts>& ranks, Room room) {
    const Facts facts(ranks, room);
    Conclusion conclusion;
    conclusion.doubt = facts.doubt();
    if (ranks.empty() || !conclusion.doubt.empty()) {
        return conclusion;
    }
    std::vector<RankState> states(ranks.size());
    for (const RankFacts& rank : ranks) {
        states[static_cast<std::size_t>(rank.rank)] = facts.state_of(rank);
    }
    std::vector<bool> stuck = stuck_ranks(states, Polling::goes_on);
    if (std::find(stuck.begin(), stuck.end(), true) != stuck.end()) {
        conclusion.graph = make_wait_for_graph(states, stuck, [&](base::Rank waiting, const Wait& wait) {
            return needed_action(states[static_cast<std::size_t>(waiting)].call, wait, facts.name_of(wait.comm));
        });
        conclusion.stuck = std::move(stuck);
    }
    return conclusion;
}

std::vector<RankFacts> of_one_moment(const std::vector<RankFacts>& first, std::vector<RankFacts> second) {
    std::map<int, std::uint64_t> before;
    for (const RankFacts& rank : first) {
        before.emplace(rank.rank, rank.stamp);
    }
    for (RankFacts& rank : second) {
        const auto found = before.find(rank.rank);
        rank.blocked = rank.blocked && found != before.end() && found->second == rank.stamp;
    }
    return second;
}

}  // namespace dampi::scheduler::watch
