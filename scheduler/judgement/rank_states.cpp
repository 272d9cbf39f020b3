#include "scheduler/judgement/rank_states.hpp"

#include "transport/lock_records.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace dampi::scheduler {
namespace {

using base::Rank;
using transport::Activity;
using transport::Envelope;
using transport::Phase;
using transport::PostedReceive;
using transport::RunView;
using transport::WaitItem;
using transport::WaitKind;

bool message_waiting(const RunView& run, Rank receiver, const Wait& wait) {
    bool found = false;
    const auto ranks = static_cast<Rank>(run.processes());
    const Rank first = wait.peer == base::any_source ? 0 : wait.peer;
    const Rank last = wait.peer == base::any_source ? ranks - 1 : wait.peer;
    for (Rank source = first; source <= last && !found; ++source) {
        run.for_each_open(source, receiver, [&](const Envelope& envelope) {
            found = found || (envelope.comm == wait.comm && (wait.tag == base::any_tag || wait.tag == envelope.tag));
        });
    }
    return found;
}

/// With more pending receives than that it is not worth while to find out which of them gets a message.
constexpr std::uint64_t most_assigned = 1024;

/// The source that MPI was told.
Rank told_source(const PostedReceive& receive) {
    return receive.forced != base::any_source ? receive.forced : receive.spec.source;
}

/// Which pending receives get the messages that are on their way: a receiver gives a message to the first receive
/// posted that fits, but has perhaps not looked yet.
class Assignments {
public:
    Assignments(const RunView& run, Rank receiver)
        : run_(run), receiver_(receiver), posted_(run.posted(receiver, most_assigned)) {}

    /// Whether the receive from just this source could get a message of it. Receives of any source are supposed to take
    /// none.
    bool may_be_satisfied(Rank source, std::uint64_t order) {
        if (!posted_) {
            return true;
        }
        const auto [known, is_new] = satisfied_.try_emplace(source);
        if (is_new) {
            known->second = satisfied(source);
        }
        return std::find(known->second.begin(), known->second.end(), order) != known->second.end();
    }

private:
    struct Pending {
        std::uint64_t order;
        base::CommId comm;
        base::Tag tag;
        bool taken = false;
    };

    [[nodiscard]] std::vector<std::uint64_t> satisfied(Rank source) const {
        std::vector<Pending> pending;
        for (const PostedReceive& receive : *posted_) {
            if (told_source(receive) == source) {
                pending.push_back({.order = receive.order, .comm = receive.spec.comm, .tag = receive.spec.tag});
            }
        }
        std::sort(pending.begin(), pending.end(), [](const auto& a, const auto& b) { return a.order < b.order; });
        std::vector<std::uint64_t> orders;
        run_.for_each_open(source, receiver_, [&](const Envelope& envelope) {
            const auto taker = std::find_if(pending.begin(), pending.end(), [&](const Pending& each) {
                return !each.taken && each.comm == envelope.comm &&
                       (each.tag == base::any_tag || each.tag == envelope.tag);
            });
            if (taker != pending.end()) {
                taker->taken = true;
                orders.push_back(taker->order);
            }
        });
        return orders;
    }

    const RunView& run_;
    Rank receiver_;
    std::optional<std::vector<PostedReceive>> posted_;  ///< nothing: too many
    std::map<Rank, std::vector<std::uint64_t>> satisfied_;
};

/// A send goes on when its message has been taken, or when a receive that fits is posted. Those of a dead rank take
/// nothing any more.
/// Nor does it when a matched probe has taken it, which its receive follows.
bool send_may_go_on(const RunView& run, Rank sender, Wait& wait, bool receiver_lives) {
    run.for_each_held(sender, wait.peer, [&](const Envelope& envelope) {
        wait.held = wait.held || (envelope.comm == wait.comm && envelope.number == wait.number);
    });
    if (wait.held) {
        return false;
    }
    bool open = false;
    run.for_each_open(sender, wait.peer, [&](const Envelope& envelope) {
        open = open || (envelope.comm == wait.comm && envelope.number == wait.number);
    });
    if (!open) {
        return true;
    }
    if (!receiver_lives && wait.synchronous) {
        return false;  // others may be over for the library, and wait only to hear what the receiver knew
    }
    const auto posted = run.posted(wait.peer, std::numeric_limits<std::uint64_t>::max());
    return std::any_of(posted->begin(), posted->end(), [&](const PostedReceive& receive) {
        const Rank source = told_source(receive);
        const bool fits = receive.spec.tag == base::any_tag || receive.spec.tag == wait.tag;
        return receive.spec.comm == wait.comm && (source == base::any_source || source == sender) && fits;
    });
}

std::uint64_t times_entered(const RunView& run, Rank member, base::CommId comm) {
    for (const auto& progress : run.collectives(member)) {
        if (progress.comm == comm) {
            return progress.entered;
        }
    }
    return 0;
}

bool has_entered(const RunView& run, Rank member, base::CommId comm, std::uint64_t sequence) {
    return times_entered(run, member, comm) > sequence;
}

std::vector<Rank> all_ranks(const RunView& run) {
    std::vector<Rank> ranks(run.processes());
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

/// Adds to the rank's waits what the item stands for. What makes no sense counts as something that may be satisfied.
void add_wait(const RunView& run, const std::vector<bool>& alive, Rank rank, const WaitItem& item,
              Assignments& assignments, RankState& state) {
    const auto ranks = static_cast<Rank>(run.processes());
    Wait wait{.kind = item.kind,
              .forced = item.forced != 0,
              .peer = item.peer,
              .tag = item.tag,
              .comm = item.comm,
              .number = item.number,
              .synchronous = item.synchronous != 0,
              .made_at = item.made_at};
    const bool named = wait.peer >= 0 && wait.peer < ranks;
    const auto group = [&] { return item.group == 0 ? std::optional(all_ranks(run)) : run.group(rank, item.group); };
    const auto add = [&](bool may_be_satisfied, std::vector<Rank> providers) {
        wait.may_be_satisfied = may_be_satisfied;
        wait.providers = std::move(providers);
        state.waits.push_back(wait);
    };
    switch (item.kind) {
        case WaitKind::poll:
            state.polls = true;
            return;
        case WaitKind::time:
            if (item.number == 0) {
                add(false, {});  // no time: it waits until it is released, and for nothing else
            } else {
                state.sleeps_until = item.number;
            }
            return;
        case WaitKind::receive:
        case WaitKind::probe:
            if (named) {
                const bool posted = item.kind == WaitKind::receive && wait.number != 0;
                add(message_waiting(run, rank, wait) &&
                        (!posted || assignments.may_be_satisfied(wait.peer, wait.number - 1)),
                    {wait.peer});
            } else if (const auto senders = wait.peer == base::any_source ? group() : std::nullopt) {
                add(message_waiting(run, rank, wait), *senders);
            } else {
                add(true, {});
            }
            return;
        case WaitKind::send:
            named ? add(send_may_go_on(run, rank, wait, alive[static_cast<std::size_t>(wait.peer)]), {wait.peer})
                  : add(true, {});
            return;
        case WaitKind::collective:
            if (named) {
                add(has_entered(run, wait.peer, wait.comm, wait.number), {wait.peer});
            } else if (wait.peer != base::any_source) {
                add(true, {});
            } else {
                // The library waits for some of the members, nobody knows for which.
                std::vector<Rank> missing = group().value_or(std::vector<Rank>{});
                std::erase_if(missing, [&](Rank member) { return has_entered(run, member, wait.comm, wait.number); });
                const bool all_are_there = missing.empty();
                add(all_are_there, std::move(missing));
            }
            return;
        case WaitKind::leader:
        case WaitKind::post:
        case WaitKind::complete:
            named ? add(has_entered(run, wait.peer, wait.comm, wait.number), {wait.peer}) : add(true, {});
            return;
        case WaitKind::unlock:
            for (Rank other = 0; other < ranks; ++other) {
                const base::CommId record = transport::lock_record(wait.comm, other);
                const std::uint64_t entered = other == rank ? 0 : times_entered(run, other, record);
                if (entered % 2 != 0) {
                    const auto granted = run.contribution(other, record, entered - 1);
                    wait.peer = other;
                    wait.number = entered;
                    wait.made_at = granted ? granted->site : 0;
                    add(false, {other});
                }
            }
            return;
        case WaitKind::finalize:
            for (Rank other = 0; other < ranks; ++other) {
                if (run.phase(other) < Phase::finalizing) {
                    wait.peer = other;
                    add(false, {other});
                }
            }
            if (state.waits.empty()) {
                add(true, {});
            }
            return;
        case WaitKind::ready:
        case WaitKind::own_completion:
            add(false, {});
            return;
        case WaitKind::foreign:
            state.foreign = true;
            add(true, {});
            return;
        case WaitKind::other:
            break;
    }
    add(true, {});
}

RankState read_rank(const RunView& run, const std::vector<bool>& alive, Rank rank, const OthersSleep& others_sleep) {
    RankState state;
    const transport::RankProgress progress = run.progress(rank);
    state.finalized = progress.phase == Phase::finalized;
    state.settled_round = progress.settled_round;
    state.transport_events = progress.transport_events;
    state.calls = progress.calls;
    state.traffic = progress.traffic;
    state.polling_threads = progress.polling_threads;
    state.idle_threads = progress.idle_threads;
    state.multithreaded = progress.multithreaded;
    state.mismatch = progress.mismatch;
    state.clock = progress.clock;
    state.passed = progress.passed;
    state.timer = progress.timer;

    transport::RankWaits waits = run.waits(rank);
    state.sequence = waits.sequence;
    if (!waits.sound) {
        return state;
    }
    state.call = std::move(waits.call);
    state.site = waits.site;
    state.idle_threads = std::move(waits.idle_threads);
    state.in_library = waits.activity == Activity::blocked_in_library;
    state.blocked = waits.activity == Activity::blocked || state.in_library;
    if (state.blocked && progress.multithreaded) {
        // In a native call of one thread nobody answers for the others.
        const auto others = state.in_library ? std::nullopt : others_sleep(state.idle_threads);
        state.blocked = others.has_value();
        state.other_threads = others.value_or(0);
    }
    if (!state.blocked) {
        return state;
    }
    state.any = waits.any;
    Assignments assignments(run, rank);
    for (const WaitItem& item : waits.items) {
        add_wait(run, alive, rank, item, assignments, state);
    }
    if (state.waits.empty() && std::any_of(waits.items.begin(), waits.items.end(),
                                           [](const WaitItem& item) { return item.kind == WaitKind::unlock; })) {
        state.waits.push_back({.kind = WaitKind::other, .may_be_satisfied = true});  // no lock is in the way any more
    }
    return state;
}

}  // namespace

std::vector<RankState> read_rank_states(const RunView& run, const std::vector<bool>& alive,
                                        const OthersSleep& others_sleep) {
    std::vector<RankState> states;
    for (std::size_t rank = 0; rank < alive.size(); ++rank) {
        states.push_back(read_rank(run, alive, static_cast<Rank>(rank), others_sleep));
        states.back().alive = alive[rank];
    }
    return states;
}

}  // namespace dampi::scheduler
