// Collectives: who has entered, who can leave, and who contradicts whom.
#include "scheduler/engines/central/machine.hpp"

#include "transport/collective_mismatch.hpp"
#include "transport/collective_operation.hpp"

#include <algorithm>

namespace dampi::scheduler::central {
namespace {

using clocks::Snapshot;
using namespace transport::requests;

/// Of many ranks, each is compared with so many others of its collective only.
constexpr std::size_t most_compared = 32;

}  // namespace

bool Machine::take(Rank rank, const CollectiveCall& call) {
    Group* meeting = group(call.comm);
    if (!may_call(rank) || meeting == nullptr || !meeting->index.contains(rank) ||
        !std::all_of(call.listed.begin(), call.listed.end(),
                     [&](Rank source) { return source != rank && meeting->index.contains(source); })) {
        return false;
    }
    give_up_polling(rank, call.function, call.site);
    Posting* posting = add(rank, call.operation, Posting::Kind::collective);
    if (posting == nullptr) {
        return false;
    }
    const std::uint64_t sequence = meeting->count[meeting->index.at(rank)]++;
    posting->comm = call.comm;
    posting->sequence = sequence;
    ++process(rank).traffic;
    enter(rank, *meeting, call, sequence);
    look_at_round(call.comm, *meeting, sequence);
    return true;
}

Machine::Round* Machine::round(Group& group, std::uint64_t sequence) {
    if (sequence < group.first_round) {
        const auto kept = group.kept.find(sequence);
        return kept == group.kept.end() ? nullptr : &kept->second;
    }
    const std::size_t place = static_cast<std::size_t>(sequence - group.first_round);
    while (group.rounds.size() <= place) {
        group.rounds.emplace_back().entered.resize(group.size());
    }
    return &group.rounds[place];
}

const Machine::Round* Machine::round(const Group& group, std::uint64_t sequence) const {
    if (sequence < group.first_round) {
        const auto kept = group.kept.find(sequence);
        return kept == group.kept.end() ? nullptr : &kept->second;
    }
    const std::uint64_t place = sequence - group.first_round;
    return place < group.rounds.size() ? &group.rounds[static_cast<std::size_t>(place)] : nullptr;
}

std::optional<std::pair<CollectivePart, CollectivePart>> Machine::differing_shares(Rank rank, const Entered& entered,
                                                                                   Rank other,
                                                                                   const Entered& other_entered) {
    const auto part = [](Rank of, const Entered& each) {
        return transport::PartWithShares{
            .rank = of, .part = each.contribution, .given = each.given, .asked = each.asked};
    };
    const auto found = transport::differing_shares(part(rank, entered), part(other, other_entered));
    return found ? std::optional(std::pair(CollectivePart{rank, found->first}, CollectivePart{other, found->second}))
                 : std::nullopt;
}

void Machine::enter(Rank rank, Group& meeting, const CollectiveCall& call, std::uint64_t sequence) {
    Round& own_round = *round(meeting, sequence);
    const std::size_t index = meeting.index.at(rank);
    Entered& own = own_round.entered[index];
    own.here = true;
    own.contribution = {.sequence = sequence,
                        .clock = 0,
                        .operation = call.collective,
                        .reduction = call.reduction,
                        .root = call.root,
                        .site = call.site,
                        .sent = call.sent,
                        .received = call.received,
                        .sent_data = call.sent_data,
                        .received_data = call.received_data,
                        .arguments = call.arguments};
    own.clock = process(rank).record.clocks().now();
    own.entered_at = process(rank).passed;
    own.bytes = call.bytes;
    own.payload = call.payload;
    own.made_at = call.made_at;
    own.operation = call.operation;
    own.sources = call.sources;
    own.listed = call.listed;
    own.given = call.given;
    own.asked = call.asked;
    own.leader = call.leader != 0;
    own.tag = call.tag;
    ++own_round.here;
    meeting.latest[index] = own.contribution;
    if (call.apart != 0 || call.leader != 0) {
        return;
    }
    std::size_t compared = 0;
    for (std::size_t i = 0; i < own_round.entered.size() && compared < most_compared; ++i) {
        const Entered& other = own_round.entered[i];
        if (i == index || !other.here) {
            continue;
        }
        ++compared;
        const auto difference = transport::difference(rank, own.contribution, meeting.rank(i), other.contribution);
        auto shares = difference == transport::Difference::none ? differing_shares(rank, own, meeting.rank(i), other)
                                                                : std::nullopt;
        if (difference == transport::Difference::none && !shares) {
            continue;
        }
        own_round.broken = own_round.broken || transport::breaks_order(difference);
        const auto known = [&](const NoticedMismatch& each) {
            return each.comm == call.comm && each.sequence == sequence;
        };
        if (std::none_of(mismatches_.begin(), mismatches_.end(), known)) {
            const bool persistent = transport::form_of(call.collective) == transport::CollectiveForm::persistent;
            mismatches_.push_back({.comm = call.comm,
                                   .sequence = sequence,
                                   .shares = std::move(shares),
                                   .of_starts = persistent && call.made_at != call.site});
        }
    }
}

std::vector<std::size_t> Machine::sources_of(const Group& meeting, std::size_t index, const Entered& entered) const {
    const std::size_t members = meeting.members.size();
    const bool local = index < members;
    const auto side = [&](bool of_members) {
        return of_members ? std::pair<std::size_t, std::size_t>{0, members}
                          : std::pair<std::size_t, std::size_t>{members, meeting.size()};
    };
    std::vector<std::size_t> sources;
    switch (entered.sources) {
        case Sources::none:
            break;
        case Sources::everyone: {
            const auto [first, last] = meeting.inter ? side(!local) : side(true);
            for (std::size_t i = first; i < last; ++i) {
                if (i != index) {
                    sources.push_back(i);
                }
            }
            break;
        }
        case Sources::lower: {
            const auto [first, last] = side(local);
            for (std::size_t i = first; i < index; ++i) {
                sources.push_back(i);
            }
            break;
        }
        case Sources::listed:
            for (const Rank source : entered.listed) {
                sources.push_back(meeting.index.at(source));
            }
            break;
    }
    return sources;
}

std::vector<std::size_t> Machine::awaited_by(const Group& meeting, std::size_t index, const Entered& entered) const {
    if (!settings_.collectives_wait || entered.leader ||
        transport::form_of(entered.contribution.operation) != transport::CollectiveForm::blocking) {
        return sources_of(meeting, index, entered);
    }
    Entered waiting = entered;
    waiting.sources = Sources::everyone;
    return sources_of(meeting, index, waiting);
}

/// Who can leave the round now is told so.
void Machine::look_at_round(CommId comm, Group& meeting, std::uint64_t sequence) {
    const Round& at = *round(meeting, sequence);
    if (at.broken) {
        return;
    }
    std::vector<Rank> ready;
    for (std::size_t i = 0; i < at.entered.size(); ++i) {
        const Entered& entered = at.entered[i];
        if (!entered.here || entered.told ||
            (entered.sources == Sources::everyone && !meeting.inter && at.here != at.entered.size())) {
            continue;
        }
        Posting* posting = find(process(meeting.rank(i)), entered.operation);
        if (posting == nullptr || posting->ready) {
            continue;
        }
        const std::vector<std::size_t> sources = awaited_by(meeting, i, entered);
        if (!std::all_of(sources.begin(), sources.end(), [&](std::size_t source) { return at.entered[source].here; })) {
            continue;
        }
        posting->ready = true;
        clocks::Clock known;
        for (const std::size_t source : sources) {
            known.merge(at.entered[source].clock->clock);
            posting->passed = std::max(posting->passed, at.entered[source].entered_at);
        }
        posting->known = known == clocks::Clock{} ? Snapshot() : Snapshot(std::move(known));
        ready.push_back(meeting.rank(i));
    }
    for (const Rank rank : ready) {
        look(rank);
    }
    (void)comm;
}

/// The rank has been told of the end of the collective.
void Machine::leave(CommId comm, std::uint64_t sequence, Rank rank) {
    Group& meeting = *group(comm);
    Round& left = *round(meeting, sequence);
    Entered& own = left.entered[meeting.index.at(rank)];
    own.told = true;
    ++left.told;
    while (!meeting.rounds.empty() && meeting.rounds.front().told == meeting.size()) {
        const auto contradicts = [&](const NoticedMismatch& each) {
            return each.comm == comm && each.sequence == meeting.first_round;
        };
        if (std::any_of(mismatches_.begin(), mismatches_.end(), contradicts)) {
            meeting.kept.emplace(meeting.first_round, std::move(meeting.rounds.front()));
        }
        meeting.rounds.pop_front();
        ++meeting.first_round;
    }
}

std::vector<CollectivePart> Machine::parts(CommId comm, std::uint64_t sequence) const {
    std::vector<CollectivePart> found;
    const auto meeting = groups_.find(comm);
    const Round* at = meeting == groups_.end() ? nullptr : round(meeting->second, sequence);
    for (std::size_t i = 0; at != nullptr && i < at->entered.size(); ++i) {
        if (at->entered[i].here) {
            found.push_back({.rank = meeting->second.rank(i), .contribution = at->entered[i].contribution});
        }
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.rank < b.rank; });
    return found;
}

std::vector<CollectiveCount> Machine::collective_counts() const {
    std::vector<CollectiveCount> counts;
    for (const auto& [comm, meeting] : groups_) {
        for (std::size_t i = 0; i < meeting.size(); ++i) {
            counts.push_back(
                {.comm = comm, .rank = meeting.rank(i), .entered = meeting.count[i], .latest = meeting.latest[i]});
        }
    }
    return counts;
}

}  // namespace dampi::scheduler::central
