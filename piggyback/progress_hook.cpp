// Sees each look of the MPI library for progress, as the transport library UCX lets us: while a rank is
// blocked inside a native MPI call, this is the only code of ours that runs. It counts the looks that did
// something, gives the core away after many that did not, and answers dampi-run's settle rounds.
#include "piggyback/interception/next_function.hpp"
#include "piggyback/layer.hpp"
#include "piggyback/situation.hpp"

#include <sched.h>

namespace dampi::piggyback {
namespace {

using replay::area::Activity;

using Progress = unsigned (*)(void*);

constexpr unsigned looks_before_yield = 64;
constexpr unsigned looks_per_round = 100;

struct {
    Layer* layer = nullptr;
    bool crowded = false;     ///< more ranks than cores
    unsigned fruitless = 0;   ///< looks in a row that did nothing
    std::uint32_t round = 0;  ///< the settle round that is being answered
    unsigned looks_in_round = 0;
} hook;

unsigned first_progress(void* worker);
Progress next = first_progress;

__attribute__((noinline)) unsigned first_progress(void* worker) {
    const auto real = next_function<Progress>("ucp_worker_progress", "libucp.so.0");
    hook.layer = Layer::current();
    if (hook.layer != nullptr) {
        cpu_set_t cores;
        hook.crowded = sched_getaffinity(0, sizeof cores, &cores) == 0 && hook.layer->size() > CPU_COUNT(&cores);
    }
    next = real;
    return real(worker);
}

__attribute__((noinline)) void answer_settle_round(Layer& layer, std::uint32_t round) {
    if (round != hook.round) {
        hook.round = round;
        hook.looks_in_round = 0;
    }
    if (round == replay::area::epilogue_round || ++hook.looks_in_round > looks_per_round) {
        layer.header().settled_round.store(round, std::memory_order_release);
    }
}

inline void after_fruitless_look(Layer& layer) {
    auto& header = layer.header();
    const Activity activity = header.blocked.activity.load(std::memory_order_relaxed);
    // A rank that is blocked in a loop of the layer's answers there.
    if (activity != Activity::blocked) {
        const std::uint32_t round = layer.area.header().settle_round.load(std::memory_order_relaxed);
        if (round == replay::area::epilogue_round) {
            write_situation(layer, Asking::mpi);
        }
        if (activity == Activity::blocked_in_library && round != header.settled_round.load(std::memory_order_relaxed)) {
            answer_settle_round(layer, round);
        }
    }
    // A rank that is blocked in a loop of the layer's yields there.
    if (++hook.fruitless > looks_before_yield && hook.crowded && activity != Activity::blocked) {
        sched_yield();
    }
}

}  // namespace
}  // namespace dampi::piggyback

extern "C" __attribute__((visibility("default"))) unsigned ucp_worker_progress(void* worker) {
    using namespace dampi::piggyback;
    if (worker == nullptr) {
        return 0;  // of a program that has only sessions, before a communicator of all processes: nothing is set up yet
    }
    const unsigned events = next(worker);
    if (Layer* layer = hook.layer) {
        if (events != 0) {
            hook.fruitless = 0;
            auto& count = layer->header().transport_events;
            count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        } else {
            after_fruitless_look(*layer);
        }
    }
    return events;
}
