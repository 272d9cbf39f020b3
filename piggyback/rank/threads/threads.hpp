// The threads of the program that call MPI: a name for each that is the same in all runs, and what belongs to each of
// them whatever the engine.
#pragma once

#include "piggyback/rank/threads/false_answers.hpp"
#include "replay/thread_order.hpp"

#include <cstdint>
#include <memory>
#include <vector>

#include <sys/types.h>

namespace dampi::piggyback {

class Core;

/// A thread that has called MPI.
struct ProgramThread {
    replay::ThreadName name = replay::main_thread;
    pid_t id = 0;  ///< the system's
    FalseAnswers false_answers;
    std::uint64_t clock_looks = 0;  ///< how often the program has looked at a clock

    /// It does so now.
    void looks_at_clock() {
        ++clock_looks;
        false_answers.forget();
    }
};

/// The calling thread, if it has called MPI between MPI_Init and MPI_Finalize.
extern __thread ProgramThread* this_thread __attribute__((tls_model("initial-exec")));

/// Makes the calling thread known.
void add_this_thread(Core& core);

/// The calling thread; from its first call on it is known. With the lock.
inline ProgramThread& enter_thread(Core& core) {
    if (this_thread == nullptr) [[unlikely]] {
        add_this_thread(core);
    }
    return *this_thread;
}

/// All that are known; they stay. With the lock.
[[nodiscard]] const std::vector<std::unique_ptr<ProgramThread>>& program_threads();

}  // namespace dampi::piggyback
