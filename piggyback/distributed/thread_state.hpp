// What the distributed engine keeps of each of the program's threads that call MPI.
#pragma once

#include "base/types.hpp"
#include "piggyback/rank/requests.hpp"
#include "piggyback/rank/threads/threads.hpp"
#include "replay/epoch.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include <mpi.h>

namespace dampi::piggyback::distributed {

class ThreadWait;

/// What makes two polling calls equal.
struct PollingKey {
    replay::EpochKind kind = replay::EpochKind::test;
    base::ReceiveSpec spec{};             ///< of probes
    std::vector<MPI_Request> requests{};  ///< of the others

    bool operator==(const PollingKey&) const = default;
};

/// One of the different calls of a stretch.
struct Poll {
    PollingKey key;
    clocks::Posted probe{};  ///< of probes: as it was issued first
    // of probes: what to ask MPI
    MPI_Comm comm = MPI_COMM_NULL;
    int source = MPI_ANY_SOURCE;
    int tag = MPI_ANY_TAG;
};

/// Polling calls of one thread with no other call between them, which have answered "nothing yet": one epoch, as long
/// as it is open.
struct PollingStretch {
    bool open = false;
    Choice choice;
    std::vector<Poll> polls;            ///< its different calls, in the order in which they were first made
    std::uint32_t current = 0;          ///< of these, the one that is being made, or was the last
    std::vector<std::uint32_t> polled;  ///< replay::Epoch::polled
    std::uint32_t false_answers = 0;    ///< of all its calls
    std::uint32_t released = 0;         ///< of these: replay::Outcome::released
    std::uint32_t at_once = 0;          ///< the first so many answer "nothing yet", where nothing is decided
    bool looks_at_clock = false;        ///< the program would do so after a false answer
    const ProgramThread* thread = nullptr;
    std::uint64_t clock_looks = 0;                ///< its ProgramThread::clock_looks when the stretch began
    std::chrono::microseconds waited_in_vain{0};  ///< by all stretches of this thread

    [[nodiscard]] const Poll& poll() const { return polls[current]; }
    /// Whether the program looks at a clock between its calls.
    [[nodiscard]] bool timed() const { return looks_at_clock || thread->clock_looks != clock_looks; }
};

struct ThreadState {
    ProgramThread* thread = nullptr;
    PollingStretch polling;            ///< its latest
    const ThreadWait* wait = nullptr;  ///< what it waits for, once that takes long
    std::uint32_t settled_round = 0;   ///< the last settle round that it has answered
};

namespace thread_state_detail {
extern __thread ThreadState* own __attribute__((tls_model("initial-exec")));
ThreadState& add();
}  // namespace thread_state_detail

/// Of the calling thread, which is known (rank/threads/threads.hpp). With the lock.
inline ThreadState& thread_state() {
    return thread_state_detail::own != nullptr ? *thread_state_detail::own : thread_state_detail::add();
}

/// Of the calling thread; null if nothing has been kept of it.
inline ThreadState* thread_state_if_any() { return thread_state_detail::own; }

/// Of all threads; they stay. With the lock.
[[nodiscard]] const std::vector<std::unique_ptr<ThreadState>>& thread_states();

}  // namespace dampi::piggyback::distributed
