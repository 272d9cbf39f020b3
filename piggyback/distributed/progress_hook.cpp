// Sees each look of the MPI library for progress, as the transport library UCX lets us: while a rank is
// blocked inside a native MPI call, this is the only code of ours that runs. It counts the looks that did
// something, gives the core away after many that did not, and answers dampi-run's settle rounds. A patched library
// (library_values.hpp) calls us instead when it has nothing to do; then it is known as well which receives have
// matched.
#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/meanwhile.hpp"
#include "piggyback/distributed/progress.hpp"
#include "piggyback/rank/library_values.hpp"
#include "piggyback/rank/next_function.hpp"
#include "piggyback/rank/situation.hpp"
#include "piggyback/rank/thread_lock.hpp"
#include "piggyback/rank/time/virtual_time.hpp"

#include <algorithm>

#include <sched.h>

namespace dampi::piggyback::distributed {
namespace {

using transport::Activity;

using Progress = unsigned (*)(void*);

constexpr unsigned looks_before_yield = 64;
constexpr unsigned looks_per_round = 100;

struct {
    DistributedLayer* layer = nullptr;
    unsigned fruitless = 0;   ///< looks in a row that did nothing
    std::uint32_t round = 0;  ///< the settle round that is being answered
    unsigned looks_in_round = 0;
} hook;

unsigned first_progress(void* worker);
Progress next = first_progress;

__attribute__((noinline)) unsigned first_progress(void* worker) {
    const auto real = next_function<Progress>("ucp_worker_progress", "libucp.so.0");
    hook.layer = DistributedLayer::current();
    next = real;
    return real(worker);
}

__attribute__((noinline)) void answer_settle_round(DistributedLayer& layer, std::uint32_t round) {
    if (round != hook.round) {
        hook.round = round;
        hook.looks_in_round = 0;
    }
    if (round == transport::epilogue_round || ++hook.looks_in_round > looks_per_round) {
        layer.board().settled_round.store(round, std::memory_order_release);
    }
}

/// Whether dampi-run waits for an answer, for which more looks are needed.
inline bool answer(DistributedLayer& layer, Activity activity) {
    auto& header = layer.board();
    // A rank that is blocked in a loop of the layer's answers there.
    if (activity != Activity::blocked) {
        if (activity == Activity::blocked_in_library && layer.active()) {
            let_timers_go_off(layer.port.granted());
        }
        const std::uint32_t round = layer.port.settle_round();
        if (round == transport::epilogue_round) {
            write_situation(layer, Asking::mpi);
        }
        if (activity == Activity::blocked_in_library && round != header.settled_round.load(std::memory_order_relaxed)) {
            answer_settle_round(layer, round);
            return true;
        }
    }
    return false;
}

inline void after_fruitless_look(DistributedLayer& layer) {
    const Activity activity = layer.board().blocked.activity.load(std::memory_order_relaxed);
    answer(layer, activity);
    // A rank that is blocked in a loop of the layer's yields there.
    if (++hook.fruitless > looks_before_yield && layer.crowded && activity != Activity::blocked) {
        sched_yield();
    }
}

/// Unless another thread, which must not call MPI now, is in the layer all the same.
void notice_matches_alone(DistributedLayer& layer) {
    const bool takes_lock = layer.locks_calls && !threads_locked();
    if (takes_lock && !try_lock_threads()) {
        return;
    }
    notice_matches(layer);
    if (takes_lock) {
        unlock_threads();
    }
}

/// A patched library has nothing to do inside of a call; returns for how many milliseconds it may sleep.
int on_idle_library() noexcept {
    constexpr unsigned longest_step = 3;
    DistributedLayer& layer = *hook.layer;
    hook.fruitless = note_library_events(layer) ? 0 : hook.fruitless + 1;
    const Activity activity = layer.board().blocked.activity.load(std::memory_order_relaxed);
    // Here others may change what the layer knows; where several threads call, they may be at it.
    if (activity == Activity::blocked_in_library && layer.active() && !layer.calls_at_once && library_values_used()) {
        notice_matches_alone(layer);
    }
    if (answer(layer, activity)) {
        hook.fruitless = 0;
        return 0;
    }
    return 1 << std::min(hook.fruitless, longest_step);
}

}  // namespace

bool note_library_events(DistributedLayer& layer) {
    if (!library_is_patched()) {
        return false;
    }
    auto& events = layer.board().transport_events;
    const std::uint64_t now = 1 + library_values_detail::library.events();  // 0 would say that nothing can be seen
    const bool more = events.load(std::memory_order_relaxed) != now;
    events.store(now, std::memory_order_relaxed);
    return more;
}

void watch_idle_library(DistributedLayer& layer) {
    if (library_is_patched()) {
        hook.layer = &layer;
        note_library_events(layer);
        library_values_detail::library.idle_hook(on_idle_library);
    }
}

}  // namespace dampi::piggyback::distributed

extern "C" __attribute__((visibility("default"))) unsigned ucp_worker_progress(void* worker) {
    using namespace dampi::piggyback::distributed;
    if (worker == nullptr) {
        return 0;  // of a program that has only sessions, before a communicator of all processes: nothing is set up yet
    }
    const unsigned events = next(worker);
    if (DistributedLayer* layer = hook.layer) {
        if (events != 0) {
            hook.fruitless = 0;
            auto& count = layer->board().transport_events;
            count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        } else {
            after_fruitless_look(*layer);
        }
    }
    return events;
}
