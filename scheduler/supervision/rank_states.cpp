#include "scheduler/supervision/rank_states.hpp"

#include "replay/area/contributions.hpp"
#include "replay/area/envelope_queue.hpp"

#include <algorithm>
#include <cstring>

namespace dampi::scheduler {
namespace {

using clocks::Rank;
using replay::area::Activity;
using replay::area::Area;
using replay::area::BlockedState;
using replay::area::Envelope;
using replay::area::Phase;
using replay::area::PostedState;
using replay::area::RankHeader;
using replay::area::WaitItem;
using replay::area::WaitKind;

bool message_waiting(const Area& area, Rank receiver, const Wait& wait) {
    bool found = false;
    const auto ranks = static_cast<Rank>(area.processes());
    const Rank first = wait.peer == clocks::any_source ? 0 : wait.peer;
    const Rank last = wait.peer == clocks::any_source ? ranks - 1 : wait.peer;
    for (Rank source = first; source <= last && !found; ++source) {
        replay::area::for_each_open_envelope(area, source, receiver, [&](const Envelope& envelope) {
            found = found || (envelope.comm == wait.comm && (wait.tag == clocks::any_tag || wait.tag == envelope.tag));
        });
    }
    return found;
}

/// A send goes on when its message has been taken, or when a receive that fits is posted.
bool send_may_go_on(const Area& area, Rank sender, const Wait& wait) {
    bool open = false;
    replay::area::for_each_open_envelope(area, sender, wait.peer, [&](const Envelope& envelope) {
        open = open || (envelope.comm == wait.comm && envelope.number == wait.number);
    });
    if (!open) {
        return true;
    }
    const std::uint64_t posted =
        std::min(area.rank(wait.peer).posted_high.load(std::memory_order_acquire), replay::area::posted_capacity);
    for (std::uint64_t i = 0; i < posted; ++i) {
        const auto& slot = area.posted(wait.peer, i);
        if (slot.state.load(std::memory_order_acquire) != PostedState::pending || slot.comm != wait.comm) {
            continue;
        }
        const Rank source = slot.forced != clocks::any_source ? slot.forced : slot.source;
        if ((source == clocks::any_source || source == sender) &&
            (slot.tag == clocks::any_tag || slot.tag == wait.tag)) {
            return true;
        }
    }
    return false;
}

bool has_entered(const Area& area, Rank member, clocks::CommId comm, std::uint64_t sequence) {
    for (const auto& progress : replay::area::collective_progress(area, member)) {
        if (progress.comm == comm) {
            return progress.entered > sequence;
        }
    }
    return false;
}

bool may_be_satisfied(const Area& area, Rank rank, const Wait& wait) {
    const auto ranks = static_cast<Rank>(area.processes());
    switch (wait.kind) {
        case WaitKind::receive:
        case WaitKind::probe:
            return wait.peer < clocks::any_source || wait.peer >= ranks || message_waiting(area, rank, wait);
        case WaitKind::send:
            return wait.peer < 0 || wait.peer >= ranks || send_may_go_on(area, rank, wait);
        case WaitKind::collective:
            return wait.peer < 0 || wait.peer >= ranks || has_entered(area, wait.peer, wait.comm, wait.number);
        case WaitKind::finalize:
            for (Rank other = 0; other < ranks; ++other) {
                if (area.rank(other).phase.load(std::memory_order_acquire) < Phase::finalizing) {
                    return false;
                }
            }
            return true;
        case WaitKind::poll:
        case WaitKind::other:
        case WaitKind::foreign:
            return true;
    }
    return true;
}

RankState read_rank(const Area& area, Rank rank) {
    RankState state;
    const RankHeader& header = area.rank(rank);
    state.finalized = header.phase.load(std::memory_order_acquire) == Phase::finalized;
    state.settled_round = header.settled_round.load(std::memory_order_acquire);
    state.transport_events = header.transport_events.load(std::memory_order_relaxed);

    const BlockedState& shared = header.blocked;
    state.sequence = shared.sequence.load(std::memory_order_acquire);
    if (state.sequence % 2 != 0) {
        return state;  // just entering or leaving a wait
    }
    const Activity activity = shared.activity.load(std::memory_order_acquire);
    const std::uint32_t count = shared.waits.count;
    const bool any = shared.waits.any != 0;
    WaitItem items[replay::area::wait_items];
    std::memcpy(static_cast<void*>(items), static_cast<const void*>(shared.waits.items), sizeof items);
    state.call.assign(shared.call, strnlen(shared.call, sizeof shared.call));
    state.site = shared.site;
    std::atomic_thread_fence(std::memory_order_acquire);
    if (shared.sequence.load(std::memory_order_relaxed) != state.sequence) {
        return state;
    }
    state.blocked = (activity == Activity::blocked || activity == Activity::blocked_in_library) &&
                    header.multithreaded.load(std::memory_order_relaxed) == 0;
    state.in_library = activity == Activity::blocked_in_library;
    if (!state.blocked) {
        return state;
    }
    state.any = any;
    state.truncated = count > replay::area::wait_items;
    for (std::uint32_t i = 0; i < std::min(count, replay::area::wait_items); ++i) {
        if (items[i].kind == WaitKind::poll) {
            state.polls = true;
            continue;
        }
        Wait wait{.kind = items[i].kind,
                  .forced = items[i].forced != 0,
                  .peer = items[i].peer,
                  .tag = items[i].tag,
                  .comm = items[i].comm,
                  .number = items[i].number};
        wait.may_be_satisfied = may_be_satisfied(area, rank, wait);
        state.foreign = state.foreign || wait.kind == WaitKind::foreign;
        state.waits.push_back(wait);
    }
    return state;
}

}  // namespace

std::vector<RankState> read_rank_states(const Area& area, const std::vector<bool>& alive) {
    std::vector<RankState> states;
    for (std::size_t rank = 0; rank < alive.size(); ++rank) {
        states.push_back(read_rank(area, static_cast<Rank>(rank)));
        states.back().alive = alive[rank];
    }
    return states;
}

}  // namespace dampi::scheduler
