// How much of the processors a process has had: read from outside, in /proc. What a process has not done while it
// waited for one says nothing about the process, only about the machine.
#pragma once

#include <chrono>

#include <sys/types.h>

namespace dampi::launch {

/// Of the process' first thread.
struct ProcessorTime {
    bool is_ready = false;               ///< it runs, or would if it had a processor and were not stopped
    std::chrono::nanoseconds ran{0};     ///< since it began
    std::chrono::nanoseconds waited{0};  ///< for a processor, since it began, without the wait that is going on
    bool is_stopped = false;             ///< by a signal, and goes on with SIGCONT; not by a debugger
};

/// Nothing but zeros where the system does not tell, or the process is gone.
[[nodiscard]] ProcessorTime processor_time_of(pid_t process);

/// How much time the process has had, since it was as in `before`, for what it does: as long as it ran while it could
/// go on, or else all of `passed` but what it waited for a processor.
[[nodiscard]] std::chrono::nanoseconds time_had(const ProcessorTime& before, const ProcessorTime& now,
                                                std::chrono::nanoseconds passed);

}  // namespace dampi::launch
