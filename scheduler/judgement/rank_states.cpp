#include "scheduler/judgement/rank_states.hpp"

#include "transport/memory/contributions.hpp"
#include "transport/memory/envelope_queue.hpp"
#include "transport/memory/rank_group.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace dampi::scheduler {
namespace {

using base::Rank;
using transport::Envelope;
using transport::Activity;
using transport::memory::Area;
using transport::memory::BlockedState;
using transport::Phase;
using transport::memory::PostedState;
using transport::memory::RankHeader;
using transport::WaitItem;
using transport::WaitKind;

/// More than that is taken for garbage.
constexpr std::uint64_t most_waits = std::uint64_t{1} << 20;

bool message_waiting(const Area& area, Rank receiver, const Wait& wait) {
    bool found = false;
    const auto ranks = static_cast<Rank>(area.processes());
    const Rank first = wait.peer == base::any_source ? 0 : wait.peer;
    const Rank last = wait.peer == base::any_source ? ranks - 1 : wait.peer;
    for (Rank source = first; source <= last && !found; ++source) {
        transport::memory::for_each_open_envelope(area, source, receiver, [&](const Envelope& envelope) {
            found = found || (envelope.comm == wait.comm && (wait.tag == base::any_tag || wait.tag == envelope.tag));
        });
    }
    return found;
}

/// With more pending receives than that it is not worth while to find out which of them gets a message.
constexpr std::uint64_t most_assigned = 1024;

/// Which pending receives get the messages that are on their way: a receiver gives a message to the first receive
/// posted that fits, but has perhaps not looked yet.
class Assignments {
public:
    Assignments(const Area& area, Rank receiver)
        : area_(area),
          receiver_(receiver),
          posted_(std::min(area.rank(receiver).posted_high.load(std::memory_order_acquire), most_assigned + 1)) {}

    /// Whether the receive from just this source could get a message of it. Receives of any source are supposed to take
    /// none.
    bool may_be_satisfied(Rank source, std::uint64_t order) {
        if (posted_ > most_assigned) {
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
        for (std::uint64_t i = 0; i < posted_; ++i) {
            const auto& slot = area_.posted(receiver_, i);
            if (slot.state.load(std::memory_order_acquire) == PostedState::pending &&
                (slot.forced != base::any_source ? slot.forced : slot.source) == source) {
                pending.push_back({.order = slot.order, .comm = slot.comm, .tag = slot.tag});
            }
        }
        std::sort(pending.begin(), pending.end(), [](const auto& a, const auto& b) { return a.order < b.order; });
        std::vector<std::uint64_t> orders;
        transport::memory::for_each_open_envelope(area_, source, receiver_, [&](const Envelope& envelope) {
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

    const Area& area_;
    Rank receiver_;
    std::uint64_t posted_;
    std::map<Rank, std::vector<std::uint64_t>> satisfied_;
};

/// A send goes on when its message has been taken, or when a receive that fits is posted. Those of a dead rank take
/// nothing any more.
/// Nor does it when a matched probe has taken it, which its receive follows.
bool send_may_go_on(const Area& area, Rank sender, Wait& wait, bool receiver_lives) {
    transport::memory::for_each_held_envelope(area, sender, wait.peer, [&](const Envelope& envelope) {
        wait.held = wait.held || (envelope.comm == wait.comm && envelope.number == wait.number);
    });
    if (wait.held) {
        return false;
    }
    bool open = false;
    transport::memory::for_each_open_envelope(area, sender, wait.peer, [&](const Envelope& envelope) {
        open = open || (envelope.comm == wait.comm && envelope.number == wait.number);
    });
    if (!open) {
        return true;
    }
    if (!receiver_lives && wait.synchronous) {
        return false;  // others may be over for the library, and wait only to hear what the receiver knew
    }
    const std::uint64_t posted =
        std::min(area.rank(wait.peer).posted_high.load(std::memory_order_acquire), transport::memory::posted_capacity);
    for (std::uint64_t i = 0; i < posted; ++i) {
        const auto& slot = area.posted(wait.peer, i);
        if (slot.state.load(std::memory_order_acquire) != PostedState::pending || slot.comm != wait.comm) {
            continue;
        }
        const Rank source = slot.forced != base::any_source ? slot.forced : slot.source;
        if ((source == base::any_source || source == sender) && (slot.tag == base::any_tag || slot.tag == wait.tag)) {
            return true;
        }
    }
    return false;
}

bool has_entered(const Area& area, Rank member, base::CommId comm, std::uint64_t sequence) {
    for (const auto& progress : transport::memory::collective_progress(area, member)) {
        if (progress.comm == comm) {
            return progress.entered > sequence;
        }
    }
    return false;
}

std::vector<Rank> all_ranks(const Area& area) {
    std::vector<Rank> ranks(area.processes());
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

/// Adds to the rank's waits what the item stands for. What makes no sense counts as something that may be satisfied.
void add_wait(const Area& area, const std::vector<bool>& alive, Rank rank, const WaitItem& item,
              Assignments& assignments, RankState& state) {
    const auto ranks = static_cast<Rank>(area.processes());
    Wait wait{.kind = item.kind,
              .forced = item.forced != 0,
              .peer = item.peer,
              .tag = item.tag,
              .comm = item.comm,
              .number = item.number,
              .synchronous = item.synchronous != 0};
    const bool named = wait.peer >= 0 && wait.peer < ranks;
    const auto group = [&] {
        return item.group == 0 ? std::optional(all_ranks(area)) : transport::memory::read_group(area, rank, item.group);
    };
    const auto add = [&](bool may_be_satisfied, std::vector<Rank> providers) {
        wait.may_be_satisfied = may_be_satisfied;
        wait.providers = std::move(providers);
        state.waits.push_back(wait);
    };
    switch (item.kind) {
        case WaitKind::poll:
            state.polls = true;
            return;
        case WaitKind::receive:
        case WaitKind::probe:
            if (named) {
                const bool posted = item.kind == WaitKind::receive && wait.number != 0;
                add(message_waiting(area, rank, wait) &&
                        (!posted || assignments.may_be_satisfied(wait.peer, wait.number - 1)),
                    {wait.peer});
            } else if (const auto senders = wait.peer == base::any_source ? group() : std::nullopt) {
                add(message_waiting(area, rank, wait), *senders);
            } else {
                add(true, {});
            }
            return;
        case WaitKind::send:
            named ? add(send_may_go_on(area, rank, wait, alive[static_cast<std::size_t>(wait.peer)]), {wait.peer})
                  : add(true, {});
            return;
        case WaitKind::collective:
            if (named) {
                add(has_entered(area, wait.peer, wait.comm, wait.number), {wait.peer});
            } else if (wait.peer != base::any_source) {
                add(true, {});
            } else {
                // The library waits for some of the members, nobody knows for which.
                std::vector<Rank> missing = group().value_or(std::vector<Rank>{});
                std::erase_if(missing, [&](Rank member) { return has_entered(area, member, wait.comm, wait.number); });
                const bool all_are_there = missing.empty();
                add(all_are_there, std::move(missing));
            }
            return;
        case WaitKind::leader:
        case WaitKind::post:
        case WaitKind::complete:
            named ? add(has_entered(area, wait.peer, wait.comm, wait.number), {wait.peer}) : add(true, {});
            return;
        case WaitKind::finalize:
            for (Rank other = 0; other < ranks; ++other) {
                if (area.rank(other).phase.load(std::memory_order_acquire) < Phase::finalizing) {
                    wait.peer = other;
                    add(false, {other});
                }
            }
            if (state.waits.empty()) {
                add(true, {});
            }
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

/// Threads that wait in MPI, or belong to the MPI library.
std::vector<pid_t> idle_threads(const RankHeader& header) {
    const BlockedState& shared = header.blocked;
    std::vector<pid_t> threads(
        shared.waiting,
        shared.waiting + std::min<std::size_t>(shared.waiting_count, transport::memory::most_waiting_threads));
    const std::size_t made = std::min<std::size_t>(header.library_thread_count.load(std::memory_order_acquire),
                                                   transport::memory::most_library_threads);
    for (std::size_t i = 0; i < made; ++i) {
        threads.push_back(header.library_threads[i].load(std::memory_order_acquire));
    }
    return threads;
}

RankState read_rank(const Area& area, const std::vector<bool>& alive, Rank rank, const OthersSleep& others_sleep) {
    RankState state;
    const RankHeader& header = area.rank(rank);
    state.finalized = header.phase.load(std::memory_order_acquire) == Phase::finalized;
    state.settled_round = header.settled_round.load(std::memory_order_acquire);
    state.transport_events = header.transport_events.load(std::memory_order_relaxed);
    state.calls = header.calls.load(std::memory_order_relaxed);
    state.traffic = header.messages_sent.load(std::memory_order_relaxed) +
                    header.messages_received.load(std::memory_order_relaxed) +
                    header.synchronisations.load(std::memory_order_relaxed);
    read_polling(header, state);
    state.mismatch = header.mismatch.load(std::memory_order_relaxed) != 0;

    const BlockedState& shared = header.blocked;
    state.sequence = shared.sequence.load(std::memory_order_acquire);
    if (state.sequence % 2 != 0) {
        return state;  // just entering or leaving a wait
    }
    const Activity activity = shared.activity.load(std::memory_order_acquire);
    const std::uint64_t count = shared.waits.count;
    const bool any = shared.waits.any != 0;
    const std::uint64_t beyond = count - std::min<std::uint64_t>(count, transport::memory::wait_items);
    const transport::memory::Offset more = shared.waits.more;
    std::vector<WaitItem> items(shared.waits.items, shared.waits.items + (count - beyond));
    if (beyond != 0) {
        const auto* first = area.checked<WaitItem>(rank, more);
        if (first == nullptr || beyond > most_waits || beyond > (area.slab_end(rank) - more) / sizeof(WaitItem)) {
            return state;  // overwritten, or being written
        }
        items.insert(items.end(), first, first + beyond);
    }
    state.call.assign(shared.call, strnlen(shared.call, sizeof shared.call));
    state.site = shared.site;
    state.idle_threads = idle_threads(header);
    std::atomic_thread_fence(std::memory_order_acquire);
    if (shared.sequence.load(std::memory_order_relaxed) != state.sequence) {
        return state;
    }
    state.in_library = activity == Activity::blocked_in_library;
    state.blocked = activity == Activity::blocked || state.in_library;
    if (state.blocked && header.multithreaded.load(std::memory_order_relaxed) != 0) {
        // In a native call of one thread nobody answers for the others.
        const auto others = state.in_library ? std::nullopt : others_sleep(state.idle_threads);
        state.blocked = others.has_value();
        state.other_threads = others.value_or(0);
    }
    if (!state.blocked) {
        return state;
    }
    state.any = any;
    Assignments assignments(area, rank);
    for (const WaitItem& item : items) {
        add_wait(area, alive, rank, item, assignments, state);
    }
    return state;
}

}  // namespace

void read_polling(const RankHeader& header, RankState& state) {
    const std::size_t count = std::min<std::size_t>(header.polling_thread_count.load(std::memory_order_acquire),
                                                    transport::memory::most_polling_threads);
    for (std::size_t i = 0; i < count; ++i) {
        const auto& thread = header.polling_threads[i];
        state.polling_threads.push_back(
            {.id = thread.id.load(std::memory_order_relaxed),
             .false_answers = thread.false_answers.load(std::memory_order_relaxed),
             .idle_false_answers = thread.idle_false_answers.load(std::memory_order_relaxed),
             .repeats = thread.repeats.load(std::memory_order_acquire) != 0});
    }
    state.idle_threads = idle_threads(header);
}

std::vector<RankState> read_rank_states(const Area& area, const std::vector<bool>& alive,
                                        const OthersSleep& others_sleep) {
    std::vector<RankState> states;
    for (std::size_t rank = 0; rank < alive.size(); ++rank) {
        states.push_back(read_rank(area, alive, static_cast<Rank>(rank), others_sleep));
        states.back().alive = alive[rank];
    }
    return states;
}

}  // namespace dampi::scheduler
