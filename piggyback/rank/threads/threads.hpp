// The threads of the program that call MPI: a name for each that is the same in all runs, what belongs to each of them,
// and the order in which they issue the operations that are named by their place in an order (sends, receives, probes
// and choices). The order is recorded as soon as there are several. A guided run follows it as far as its decisions go:
// a thread that comes too early waits. Threads share the clock of their rank, so the rank is one process whose steps
// are those of its threads in that order.
//
// Another order of the threads is never explored.
#pragma once

#include "piggyback/distributed/completion/false_answers.hpp"
#include "piggyback/distributed/completion/polling.hpp"
#include "replay/thread_order.hpp"
#include "transport/memory/layout.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <sys/types.h>

namespace dampi::piggyback {

class ThreadWait;

/// A thread that has called MPI.
struct ProgramThread {
    replay::ThreadName name = replay::main_thread;
    pid_t id = 0;             ///< the system's
    PollingSequence polling;  ///< its latest
    FalseAnswers false_answers;
    const ThreadWait* wait = nullptr;  ///< what it waits for, once that takes long
    std::uint32_t settled_round = 0;   ///< the last settle round that it has answered
};

/// The calling thread, if it has called MPI between MPI_Init and MPI_Finalize.
extern __thread ProgramThread* this_thread __attribute__((tls_model("initial-exec")));

class Threads {
public:
    /// The calling thread; from its first call on it is known. With the lock.
    ProgramThread& enter() {
        if (this_thread == nullptr) [[unlikely]] {
            add_this_thread();
        }
        return *this_thread;
    }
    [[nodiscard]] bool several() const { return threads_.size() > 1; }

    template <typename Visit>
    void for_each(Visit&& visit) {
        for (const auto& thread : threads_) {
            visit(*thread);
        }
    }

    /// The calling thread issues the next operation. Call it with the lock, after take_turn().
    void issue(Layer& layer) {
        if (this_thread->name != latest_) [[unlikely]] {
            note_turn(layer);
        }
        ++operations_;
    }
    [[nodiscard]] std::uint64_t operations() const { return operations_; }

    /// Whether an order has to be followed: the rank's decisions have not all been met.
    [[nodiscard]] bool follows_order(const Layer& layer) const;
    [[nodiscard]] bool is_turn_of(replay::ThreadName name) const { return turn()->thread == name; }

private:
    void add_this_thread();
    void note_turn(Layer& layer);
    /// Null behind the last one.
    [[nodiscard]] const transport::memory::TurnEntry* turn() const;

    std::vector<std::unique_ptr<ProgramThread>> threads_;
    replay::ThreadName latest_ = replay::main_thread;  ///< who has issued the latest operation
    std::uint64_t operations_ = 0;
    // where in the order to follow
    mutable std::uint64_t turn_ = 0;
    mutable std::uint64_t before_turn_ = 0;  ///< operations of the turns before
};

/// The calling thread is about to issue an operation that is named by its place in an order: in a guided run it waits
/// for its turn, and then counts as having issued it. When the thread whose turn it is does not come, the run has
/// diverged. May let other threads into the layer; when it returns, none comes in between.
void take_turn(Layer& layer, const Call& call);

/// From now on other threads of the program may call MPI while one is blocked.
void threads_may_call(Layer& layer);

}  // namespace dampi::piggyback
