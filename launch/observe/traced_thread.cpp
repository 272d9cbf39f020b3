#include "launch/observe/traced_thread.hpp"

#include <algorithm>
#include <csignal>
#include <thread>
#include <vector>

#include <sys/ptrace.h>
#include <sys/wait.h>

namespace dampi::launch {
namespace {

using Clock = std::chrono::steady_clock;

/// Those that have been asked to stop and not waited for to the end.
thread_local std::vector<pid_t> late;

bool has_stopped(pid_t thread, bool& is_gone) {
    siginfo_t what{};
    is_gone = waitid(P_PID, static_cast<id_t>(thread), &what, WSTOPPED | WNOHANG | __WALL) != 0;
    return !is_gone && what.si_pid == thread;
}

}  // namespace

TracedThread::TracedThread(pid_t thread)
    : thread_(thread),
      attached_(ptrace(PTRACE_SEIZE, thread, nullptr, nullptr) == 0 &&
                ptrace(PTRACE_INTERRUPT, thread, nullptr, nullptr) == 0) {}

TracedThread::~TracedThread() {
    if (attached_ && ptrace(PTRACE_DETACH, thread_, nullptr, signal_) != 0) {
        late.push_back(thread_);
    }
}

bool TracedThread::wait(Clock::time_point until) {
    while (attached_ && !stopped_) {
        bool is_gone = false;
        stopped_ = has_stopped(thread_, is_gone);
        if (is_gone) {
            attached_ = false;
            return false;
        }
        if (!stopped_ && Clock::now() > until) {
            return false;
        }
        if (!stopped_) {
            std::this_thread::sleep_for(std::chrono::microseconds{100});
        }
    }
    return stopped_;
}

bool TracedThread::step() {
    constexpr std::chrono::seconds patience{1};
    if (!stopped_ || signal_ != 0 || ptrace(PTRACE_SINGLESTEP, thread_, nullptr, nullptr) != 0) {
        return false;
    }
    stopped_ = false;
    for (const auto until = Clock::now() + patience; Clock::now() < until;) {
        siginfo_t what{};
        if (waitid(P_PID, static_cast<id_t>(thread_), &what, WSTOPPED | WNOHANG | __WALL) != 0) {
            attached_ = false;
            return false;
        }
        if (what.si_pid == thread_) {
            stopped_ = true;
            signal_ = what.si_status < SIGRTMAX && what.si_status != SIGTRAP ? what.si_status : 0;
            return what.si_status == SIGTRAP;
        }
        std::this_thread::yield();
    }
    ptrace(PTRACE_INTERRUPT, thread_, nullptr, nullptr);  // it stops as soon as it can
    return false;
}

void let_late_ones_go() {
    late.erase(std::remove_if(late.begin(), late.end(),
                              [](pid_t thread) {
                                  bool is_gone = false;
                                  return (has_stopped(thread, is_gone) &&
                                          ptrace(PTRACE_DETACH, thread, nullptr, nullptr) == 0) ||
                                         is_gone;
                              }),
               late.end());
}

}  // namespace dampi::launch
