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

/// Calls of one thread that have answered "nothing yet", if it is open; or the one that is being made.
struct PollingSequence {
    bool open = false;
    PollingKey key;
    Choice choice;
    std::uint32_t false_answers = 0;
    std::chrono::microseconds waited_in_vain{0};  ///< by all sequences of this thread
};

struct ThreadState {
    ProgramThread* thread = nullptr;
    PollingSequence polling;           ///< its latest
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
