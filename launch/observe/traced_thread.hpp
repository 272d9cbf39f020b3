// A thread that is stopped from outside for a moment (ptrace), so that it can be read: no signal reaches it, and
// nothing runs in it. Only the thread that has made an object may use it.
#pragma once

#include <chrono>

#include <sys/types.h>

namespace dampi::launch {

class TracedThread {
public:
    /// Asks it to stop; where the system forbids that, it never has.
    explicit TracedThread(pid_t thread);
    /// Lets it go on. One that is still to stop (it sleeps in the kernel, uninterruptibly) is let go when it does, by
    /// a later let_late_ones_go(), or at the end of this process.
    ~TracedThread();
    TracedThread(const TracedThread&) = delete;
    TracedThread& operator=(const TracedThread&) = delete;

    /// Whether it has stopped. It may end instead, which whoever started it will want to hear of; so only stops are
    /// asked for.
    [[nodiscard]] bool wait(std::chrono::steady_clock::time_point until);

    /// Of one that has stopped, and not in a system call, which might take its time: executes one instruction of it.
    /// False where it did something else: it has ended, or a signal has come, which it gets when it is let go.
    [[nodiscard]] bool step();

private:
    pid_t thread_;
    bool attached_;
    bool stopped_ = false;
    int signal_ = 0;  ///< that it is to get
};

/// Of the calling thread's: lets those go on that had not stopped when they were to be let go.
void let_late_ones_go();

}  // namespace dampi::launch
