#include "piggyback/waiting.hpp"

#include "piggyback/collectives/flow.hpp"
#include "piggyback/completion/pairs.hpp"
#include "piggyback/matching/matching.hpp"
#include "piggyback/situation.hpp"
#include "piggyback/thread_lock.hpp"
#include "replay/area/contributions.hpp"
#include "replay/area/rank_group.hpp"

#include <bit>
#include <cstring>
#include <ctime>

#include <sched.h>
#include <unistd.h>

namespace dampi::piggyback {

using replay::area::Activity;
using replay::area::BlockedState;
using replay::area::WaitItem;
using replay::area::WaitKind;
using replay::area::WaitList;

namespace {

/// One item for each rank that a collective still needs data from and that has not entered it.
void add_missing_members(WaitDescription& description, const Request& request, bool forced) {
    const Layer& layer = *Layer::current();
    const Communicator& communicator = *request.communicator;
    bool missing = false;
    if (request.edges != nullptr) {
        for_each_source(communicator, request.edges->flow, [&](int index) {
            const clocks::Rank peer = world_rank(communicator, index);
            replay::area::Offset searched = 0;
            const auto record = replay::area::find_record(layer.area, peer, communicator.id, searched);
            if (record == 0 ||
                !replay::area::has_entered(layer.area.at<replay::area::CommunicatorRecord>(record), request.sequence)) {
                missing = true;
                description.add({.kind = WaitKind::collective,
                                 .forced = static_cast<std::uint8_t>(forced),
                                 .peer = peer,
                                 .tag = 0,
                                 .comm = communicator.id,
                                 .number = request.sequence});
            }
        });
    }
    if (!missing) {
        description.add({.kind = WaitKind::collective,
                         .forced = static_cast<std::uint8_t>(forced),
                         .peer = clocks::any_source,
                         .tag = 0,
                         .comm = communicator.id,
                         .number = request.sequence});
    }
}

}  // namespace

void WaitDescription::add(const Request& request, bool forced) {
    if (request.active && request.kind == RequestKind::pair) {
        add(request.pair->receive, forced);
        add(request.pair->send, forced);
        return;
    }
    if (request.active && request.kind == RequestKind::generalized) {
        if (!request.known) {
            add({.kind = WaitKind::foreign,
                 .forced = static_cast<std::uint8_t>(forced),
                 .peer = clocks::any_source,
                 .tag = 0,
                 .comm = 0,
                 .number = 0});
        }
        return;
    }
    int completed = 0;
    if (!request.active || (PMPI_Request_get_status(request.native(), &completed, MPI_STATUS_IGNORE), completed != 0)) {
        return;
    }
    const clocks::CommId comm = request.communicator == nullptr ? 0 : request.communicator->id;
    switch (request.kind) {
        case RequestKind::receive:
            add({.kind = WaitKind::receive,
                 .forced = static_cast<std::uint8_t>(forced || request.posting.forced != clocks::any_source),
                 .peer = request.posting.forced != clocks::any_source ? request.posting.forced
                                                                      : request.posting.posted.spec.source,
                 .tag = request.posting.posted.spec.tag,
                 .comm = comm,
                 .number = request.posting.posted.order + 1});
            break;
        case RequestKind::send:
            if (request.outgoing.slot == nullptr) {  // some partitions are not ready
                add({.kind = WaitKind::other,
                     .forced = 0,
                     .peer = clocks::any_source,
                     .tag = 0,
                     .comm = 0,
                     .number = 0});
                break;
            }
            add({.kind = WaitKind::send,
                 .forced = static_cast<std::uint8_t>(forced),
                 .synchronous = static_cast<std::uint8_t>(is_synchronous(request.way)),
                 .peer = request.outgoing.destination,
                 .tag = request.tag,
                 .comm = comm,
                 .number = request.outgoing.number});
            break;
        case RequestKind::collective:
            add_missing_members(*this, request, forced);
            break;
        case RequestKind::pair:
        case RequestKind::generalized:
            break;
    }
}

namespace {

/// Where those can be found who could be the peer that an item does not name; 0: any rank could.
replay::area::Offset group_of(Layer& layer, const WaitItem& item) {
    const bool unnamed =
        item.peer == clocks::any_source &&
        (item.kind == WaitKind::receive || item.kind == WaitKind::probe || item.kind == WaitKind::collective);
    Communicator* communicator =
        unnamed && item.comm != clocks::world_comm ? layer.communicators.find_id(item.comm) : nullptr;
    if (communicator == nullptr) {
        return 0;
    }
    const bool collective = item.kind == WaitKind::collective;
    replay::area::Offset& published = collective ? communicator->published_everyone : communicator->published_peers;
    if (published == 0) {
        std::vector<clocks::Rank> ranks = communicator->peers;
        if (collective && communicator->inter) {
            ranks.insert(ranks.end(), communicator->members.begin(), communicator->members.end());
        }
        published = replay::area::publish_group(layer.area, layer.slab, ranks);
    }
    return published;
}

/// The array for items that have no room in the WaitList, with room for at least `count`.
replay::area::Offset room_for(Layer& layer, std::size_t count) {
    Layer::LongWaits& room = layer.long_waits;
    if (room.capacity < count) {
        room.capacity = std::bit_ceil(count);  // what was there stays: dampi-run may be reading it
        room.items = layer.slab.allocate(room.capacity * sizeof(WaitItem));
    }
    return room.items;
}

}  // namespace

namespace waiting_detail {

void publish(Layer& layer, const Call& call, const WaitDescription& waits, Activity activity) {
    BlockedState& state = layer.header().blocked;
    const std::size_t count = waits.items().size();
    WaitList list{
        .any = waits.one_is_enough() ? 1U : 0U, .count = static_cast<std::uint32_t>(count), .more = 0, .items = {}};
    if (count > replay::area::wait_items) {
        list.more = room_for(layer, count - replay::area::wait_items);
    }
    state.sequence.store(state.sequence.load(std::memory_order_relaxed) + 1, std::memory_order_seq_cst);
    std::strncpy(state.call, call.function(), sizeof state.call - 1);
    state.site = call.site();
    for (std::size_t i = 0; i < count; ++i) {
        WaitItem item = waits.items()[i];
        item.group = group_of(layer, item);
        if (i < replay::area::wait_items) {
            list.items[i] = item;
        } else {
            (&layer.area.at<WaitItem>(list.more))[i - replay::area::wait_items] = item;
        }
    }
    state.waits = list;
    state.activity.store(activity, std::memory_order_release);
    state.sequence.store(state.sequence.load(std::memory_order_relaxed) + 1, std::memory_order_seq_cst);
}

void publish_change(Layer& layer, const Call& call, const WaitDescription& waits) {
    const WaitList& published = layer.header().blocked.waits;
    // The same wait never gains items; what is gone has completed.
    if (published.count != waits.items().size()) {
        publish(layer, call, waits, Activity::blocked);
    }
}

bool may_publish(Layer& layer, const void* waiting, bool published) {
    if (layer.shows_blocked != nullptr && (published || layer.shown_thread != this_thread)) {
        return false;
    }
    layer.shows_blocked = waiting;
    layer.shown_thread = this_thread;
    return true;
}

void unpublish(Layer& layer, const void* waiting) {
    if (layer.shows_blocked != waiting) {
        return;
    }
    layer.shows_blocked = nullptr;
    BlockedState& state = layer.header().blocked;
    state.sequence.store(state.sequence.load(std::memory_order_relaxed) + 1, std::memory_order_seq_cst);
    state.activity.store(Activity::computing, std::memory_order_release);
    state.sequence.store(state.sequence.load(std::memory_order_relaxed) + 1, std::memory_order_seq_cst);
}

void yield(Layer& layer) {
    if (layer.locks_calls) {
        unlock_threads();
        sched_yield();
        lock_threads();
    } else {
        sched_yield();
    }
}

void rest(Layer& layer, unsigned idle_looks) {
    constexpr unsigned looks_before_sleep = 300;
    constexpr unsigned looks_per_step = 50;
    constexpr long longest_sleep = 300'000;  // nanoseconds
    if (idle_looks < looks_before_sleep) {
        yield(layer);
        return;
    }
    const long wanted = 1000L * ((idle_looks - looks_before_sleep) / looks_per_step);
    const timespec time{.tv_sec = 0, .tv_nsec = wanted < longest_sleep ? wanted : longest_sleep};
    if (layer.locks_calls) {
        unlock_threads();
        nanosleep(&time, nullptr);
        lock_threads();
    } else {
        nanosleep(&time, nullptr);
    }
}

void epilogue(Layer& layer) {
    write_situation(layer, Asking::layer);
    if (!layer.in_epilogue) {  // resolving may have to wait for ever: then it ends up here again
        layer.in_epilogue = true;
        resolve_matched(layer);
    }
    layer.header().settled_round.store(replay::area::epilogue_round, std::memory_order_release);
    for (;;) {
        pause();
    }
}

}  // namespace waiting_detail

BlockedInLibrary::BlockedInLibrary(Layer& layer, const Call& call, const WaitItem& item) : layer_(layer) {
    if (waiting_detail::may_publish(layer, this, false)) {
        WaitDescription waits;
        waits.add(item);
        waiting_detail::publish(layer, call, waits, Activity::blocked_in_library);
    }
}

BlockedInLibrary::~BlockedInLibrary() { waiting_detail::unpublish(layer_, this); }

}  // namespace dampi::piggyback
