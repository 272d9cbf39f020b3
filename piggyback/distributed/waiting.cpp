#include "piggyback/distributed/waiting.hpp"
#include "piggyback/rank/errors/errors.hpp"

#include "piggyback/distributed/completion/pair.hpp"
#include "piggyback/rank/collectives/flow.hpp"
#include "piggyback/rank/programs_handlers.hpp"
#include "piggyback/rank/situation.hpp"
#include "piggyback/rank/thread_lock.hpp"
#include "piggyback/rank/threads/thread_names.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <ctime>
#include <iterator>
#include <utility>
#include <vector>

#include <sched.h>
#include <unistd.h>

namespace dampi::piggyback::distributed {

using transport::Activity;
using transport::WaitItem;
using transport::WaitKind;
using Blocked = transport::Board::Blocked;
using WaitList = transport::Board::WaitList;

namespace {

/// One item for each rank that a collective still needs data from and that has not entered it.
void add_missing_members(WaitDescription& description, const Request& request, bool forced) {
    const DistributedLayer& layer = *DistributedLayer::current();
    const Communicator& communicator = *request.communicator;
    bool missing = false;
    if (request.special().edges != nullptr) {
        for_each_source(communicator, request.special().edges->flow, [&](int index) {
            const base::Rank peer = world_rank(communicator, index);
            transport::Token searched = 0;
            const transport::Token record = layer.port.find_record(peer, communicator.id, searched);
            if (record == 0 || layer.port.entered(record) <= request.special().sequence) {
                missing = true;
                description.add({.kind = WaitKind::collective,
                                 .forced = static_cast<std::uint8_t>(forced),
                                 .peer = peer,
                                 .tag = 0,
                                 .comm = communicator.id,
                                 .number = request.special().sequence,
                                 .made_at = request.site});
            }
        });
    }
    if (!missing) {
        description.add({.kind = WaitKind::collective,
                         .forced = static_cast<std::uint8_t>(forced),
                         .peer = base::any_source,
                         .tag = 0,
                         .comm = communicator.id,
                         .number = request.special().sequence,
                         .made_at = request.site});
    }
}

/// WaitItem::number of a partitioned send: a bit for each of the first partitions that is not ready.
std::uint64_t not_ready(const std::vector<bool>& ready) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(ready.size(), 64); ++i) {
        bits |= ready[i] ? 0 : std::uint64_t{1} << i;
    }
    return bits;
}

}  // namespace

void WaitDescription::add(const Request& request, bool forced) {
    if (request.active && request.kind == RequestKind::pair) {
        add(request.special().pair->receive, forced);
        add(request.special().pair->send, forced);
        return;
    }
    if (request.active && request.kind == RequestKind::generalized) {
        if (!request.known) {
            // Another thread, or a handler of signals, may complete it.
            const bool alone =
                !DistributedLayer::current()->multithreaded && !has_other_threads() && !has_programs_handlers();
            add({.kind = alone ? WaitKind::own_completion : WaitKind::foreign,
                 .forced = static_cast<std::uint8_t>(forced),
                 .made_at = request.site});
        }
        return;
    }
    int completed = 0;
    if (!request.active || (peek(request.native(), &completed, MPI_STATUS_IGNORE), completed != 0)) {
        return;
    }
    const base::CommId comm = request.communicator == nullptr ? 0 : request.communicator->id;
    switch (request.kind) {
        case RequestKind::receive:
            if (request.taken) {
                add_coming_data();
                break;
            }
            add({.kind = WaitKind::receive,
                 .forced = static_cast<std::uint8_t>(forced || request.posting.forced != base::any_source),
                 .peer = request.posting.forced != base::any_source ? request.posting.forced
                                                                    : request.posting.posted.spec.source,
                 .tag = request.posting.posted.spec.tag,
                 .comm = comm,
                 .number = request.posting.posted.order + 1,
                 .made_at = request.site});
            break;
        case RequestKind::send:
            if (!request.outgoing.envelope) {
                // Some partitions are not ready, unless another thread says so.
                const std::vector<bool>& ready = request.special().ready;
                add({.kind = DistributedLayer::current()->multithreaded ? WaitKind::other : WaitKind::ready,
                     .tag = static_cast<base::Tag>(ready.size()),
                     .number = not_ready(ready),
                     .made_at = request.site});
                break;
            }
            // With MPI_Cancel it is to end whatever others do.
            add({.kind = request.cancel_called ? WaitKind::foreign : WaitKind::send,
                 .forced = static_cast<std::uint8_t>(forced),
                 .synchronous = static_cast<std::uint8_t>(is_synchronous(request.way)),
                 .peer = request.outgoing.destination,
                 .tag = request.tag,
                 .comm = comm,
                 .number = request.outgoing.number,
                 .made_at = request.site});
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
transport::Token group_of(DistributedLayer& layer, const WaitItem& item) {
    const bool unnamed =
        item.peer == base::any_source &&
        (item.kind == WaitKind::receive || item.kind == WaitKind::probe || item.kind == WaitKind::collective);
    Communicator* communicator =
        unnamed && item.comm != base::world_comm ? layer.communicators.find_id(item.comm) : nullptr;
    if (communicator == nullptr) {
        return 0;
    }
    const bool collective = item.kind == WaitKind::collective;
    transport::Token& published = collective ? communicator->published_everyone : communicator->published_peers;
    if (published == 0) {
        std::vector<base::Rank> ranks = communicator->peers;
        if (collective && communicator->inter) {
            ranks.insert(ranks.end(), communicator->members.begin(), communicator->members.end());
        }
        published = layer.port.publish_group(ranks);
    }
    return published;
}

/// The array for items that have no room in the WaitList, with room for at least `count`.
transport::Token room_for(DistributedLayer& layer, std::size_t count) {
    DistributedLayer::LongWaits& room = layer.long_waits;
    if (room.capacity < count) {
        room.capacity = std::bit_ceil(count);  // what was there stays: dampi-run may be reading it
        room.items = layer.port.make_list(room.capacity * sizeof(WaitItem));
    }
    return room.items;
}

/// What the rank waits for.
struct RankWait {
    WaitDescription waits;
    Activity activity = Activity::computing;  ///< if none of its threads waits
    const Call* call = nullptr;               ///< of one of them
    std::vector<pid_t> threads;               ///< that wait
};

/// The threads that wait, in the order in which they began: few, however many there have been. With the lock. It lives
/// for ever, for threads may wait while the program ends.
std::vector<const ThreadState*>& waiting_threads() {
    static auto& threads = *new std::vector<const ThreadState*>;
    return threads;
}

/// Sets what the calling thread waits for; null: it goes on.
void set_wait(const ThreadWait* wait) {
    ThreadState& state = thread_state();
    if (state.wait == nullptr && wait != nullptr) {
        waiting_threads().push_back(&state);
    } else if (state.wait != nullptr && wait == nullptr) {
        std::erase(waiting_threads(), &state);
    }
    state.wait = wait;
}

RankWait wait_of() {
    RankWait all;
    const auto add = [&](const ThreadState& thread, WaitDescription& description) {
        thread.wait->describe(description);
        all.threads.push_back(thread.thread->id);
        if (all.call == nullptr || thread.thread->name == replay::main_thread) {
            all.call = &thread.wait->call();
        }
        if (all.activity != Activity::blocked_in_library) {
            all.activity = thread.wait->activity();
        }
    };
    const auto& waiting = waiting_threads();
    if (waiting.size() <= 1) {
        for (const ThreadState* thread : waiting) {
            add(*thread, all.waits);
        }
        return all;
    }
    std::vector<WaitDescription> each(waiting.size());
    for (std::size_t i = 0; i < waiting.size(); ++i) {
        add(*waiting[i], each[i]);
    }
    // The rank goes on when any of them does: taken for possible as soon as one of the things it needs may come.
    all.waits.any();
    for (const WaitDescription& waits : each) {
        if (waits.items().empty()) {
            all.waits.add({.kind = WaitKind::other});
        }
        for (const WaitItem& item : waits.items()) {
            all.waits.add(item);
        }
    }
    return all;
}

void publish(DistributedLayer& layer, const RankWait& wait) {
    Blocked& state = layer.board().blocked;
    if (wait.activity == Activity::computing) {
        state.sequence.store(state.sequence.load(std::memory_order_relaxed) + 1, std::memory_order_seq_cst);
        state.waiting_count = 0;
        state.activity.store(wait.activity, std::memory_order_release);
        state.sequence.store(state.sequence.load(std::memory_order_relaxed) + 1, std::memory_order_seq_cst);
        return;
    }
    const WaitDescription& waits = wait.waits;
    const std::size_t count = waits.items().size();
    WaitList list{
        .any = waits.one_is_enough() ? 1U : 0U, .count = static_cast<std::uint32_t>(count), .more = 0, .items = {}};
    if (count > transport::wait_items) {
        list.more = room_for(layer, count - transport::wait_items);
    }
    state.sequence.store(state.sequence.load(std::memory_order_relaxed) + 1, std::memory_order_seq_cst);
    std::strncpy(state.call, wait.call->function(), sizeof state.call - 1);
    state.site = wait.call->site();
    state.waiting_count = static_cast<std::uint32_t>(std::min(wait.threads.size(), std::size(state.waiting)));
    std::copy_n(wait.threads.begin(), state.waiting_count, state.waiting);
    for (std::size_t i = 0; i < count; ++i) {
        WaitItem item = waits.items()[i];
        item.group = group_of(layer, item);
        if (i < transport::wait_items) {
            list.items[i] = item;
        } else {
            static_cast<WaitItem*>(layer.port.list(list.more))[i - transport::wait_items] = item;
        }
    }
    state.waits = list;
    state.activity.store(wait.activity, std::memory_order_release);
    state.sequence.store(state.sequence.load(std::memory_order_relaxed) + 1, std::memory_order_seq_cst);
}

}  // namespace

void ThreadWait::hide() {
    set_wait(nullptr);
    publish(layer_, wait_of());
}

void ThreadWait::show() {
    enter_thread(layer_);
    if (thread_state().wait == nullptr || !was_shown_) {
        was_shown_ = true;
        set_wait(this);
        publish(layer_, wait_of());
    }
}

void ThreadWait::show_change() {
    const RankWait wait = wait_of();
    // A wait never gains items; what is gone has completed. What has matched waits for its data only.
    const WaitList& published = layer_.board().blocked.waits;
    const auto& items = wait.waits.items();
    const std::size_t shown = std::min<std::size_t>(published.count, transport::wait_items);
    if (published.count != items.size() ||
        !std::equal(published.items, published.items + shown, items.begin(),
                    [](const WaitItem& a, const WaitItem& b) { return a.kind == b.kind; })) {
        publish(layer_, wait);
    }
}

void ThreadWait::settle(std::uint32_t round) {
    thread_state().settled_round = round;
    const auto& waiting = waiting_threads();
    const bool all = std::all_of(waiting.begin(), waiting.end(),
                                 [&](const ThreadState* thread) { return thread->settled_round == round; });
    if (all) {
        layer_.board().settled_round.store(round, std::memory_order_release);
    }
}

namespace waiting_detail {

void yield(DistributedLayer& layer) {
    if (layer.locks_calls) {
        unlock_threads();
        sched_yield();
        lock_threads();
    } else {
        sched_yield();
    }
}

void rest(DistributedLayer& layer, unsigned idle_looks) {
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

bool sleep_until_message() {
    constexpr int milliseconds = 1;
    return library_values_detail::library.wait(milliseconds) != 0;
}

bool rest_until_message(unsigned idle_looks) {
    constexpr unsigned longest_step = 3;
    return library_values_detail::library.wait(1 << std::min(idle_looks, longest_step)) != 0;
}

void epilogue(DistributedLayer& layer) {
    write_situation(layer, Asking::layer);
    if (!layer.in_epilogue) {  // resolving may have to wait for ever: then it ends up here again
        layer.in_epilogue = true;
        meanwhile.write_epilogue(layer);
    }
    layer.board().settled_round.store(transport::epilogue_round, std::memory_order_release);
    for (;;) {
        pause();
    }
}

}  // namespace waiting_detail

}  // namespace dampi::piggyback::distributed
