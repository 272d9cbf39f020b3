#include "piggyback/distributed/turns.hpp"

#include "piggyback/distributed/divergence.hpp"
#include "piggyback/distributed/meanwhile.hpp"
#include "piggyback/distributed/progress.hpp"
#include "piggyback/rank/thread_lock.hpp"
#include "piggyback/rank/threads/threads.hpp"

#include <chrono>
#include <string>

#include <ctime>

namespace dampi::piggyback::distributed {
namespace {

using namespace std::chrono_literals;

// A thread whose turn it is may compute, or wait in MPI for a rank that does, or that gets no processor. When nothing
// has happened for so long it is taken not to come.
constexpr auto patience = 10s;

/// Null behind the last one.
const transport::RankTurn* turn(DistributedLayer& layer) {
    const auto decided = layer.port.turns();
    ThreadTurns& turns = layer.turns;
    for (; turns.turn < decided.size(); ++turns.turn) {
        const transport::RankTurn& entry = decided[turns.turn];
        if (turns.operations < turns.before_turn + entry.operations) {
            return &entry;
        }
        turns.before_turn += entry.operations;
    }
    return nullptr;
}

/// Whether an order has to be followed, the rank's decisions not having all been met, and it is another thread's turn.
bool is_turn_of_another(DistributedLayer& layer) {
    if (layer.port.turns().empty() || layer.diverged) {
        return false;
    }
    const transport::RankTurn* next = turn(layer);
    return next != nullptr && next->thread != this_thread->name;
}

void await_turn(DistributedLayer& layer, const Call& call) {
    using Clock = std::chrono::steady_clock;
    std::uint64_t operations = layer.turns.operations;
    auto begin = Clock::now();
    while (is_turn_of_another(layer)) {
        if (operations != layer.turns.operations) {
            operations = layer.turns.operations;
            begin = Clock::now();
        }
        const auto waited = Clock::now() - begin;
        // Without the lock nobody else can come while this one is in MPI.
        if (!layer.locks_calls || waited > patience) {
            diverge(layer, call, layer.clocks.epochs(),
                    "rank " + std::to_string(layer.rank()) + " was to go on with another of its threads, but " +
                        call.function() + " came first");
            return;
        }
        make_progress();  // other ranks may wait for what this one has posted
        notice_matches(layer);
        unlock_threads();
        const timespec time{.tv_sec = 0, .tv_nsec = waited < 1ms ? 1'000 : 100'000};
        nanosleep(&time, nullptr);
        lock_threads();
    }
}

/// The calling thread issues the next operation.
void issue(DistributedLayer& layer) {
    ThreadTurns& turns = layer.turns;
    if (this_thread->name != turns.latest) [[unlikely]] {
        turns.latest = this_thread->name;
        layer.log.append(transport::ThreadTurnRecord{.thread = turns.latest, .before = turns.operations});
    }
    ++turns.operations;
}

}  // namespace

void take_turn(DistributedLayer& layer, const Call& call) {
    if (!layer.port.turns().empty()) [[unlikely]] {
        await_turn(layer, call);
    }
    issue(layer);
}

}  // namespace dampi::piggyback::distributed
