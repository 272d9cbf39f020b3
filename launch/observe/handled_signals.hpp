// Whether a process may be taken elsewhere by a signal: read from outside, in /proc.
#pragma once

#include <sys/types.h>

namespace dampi::launch {

/// Whether it has handlers for signals that come by themselves, or from its own timers, children and files: such a
/// handler may wake a thread (by sem_post), or change what one waits for. Those for errors and for the user's
/// interrupts do not count, nor the two of the C library's, nor that for SIGUSR1, for MPICH has one of its own. Where
/// the system does not tell, it has.
[[nodiscard]] bool handles_signals(pid_t process);

}  // namespace dampi::launch
