// Whether the threads of a process wait for each other: read from outside, in /proc. Where the system does not tell,
// they do not.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <sys/types.h>

namespace dampi::launch {

/// If each other thread of the process that these threads are of sleeps until another thread of the same process wakes
/// it (in pthread_join, a lock or a condition variable, without an end in time), and no signal handler of the program's
/// could do so, a number that is another one as soon as any of them has been woken. Threads are read one after the
/// other: that they have all slept at the same time is only known when the number is the same once more.
[[nodiscard]] std::optional<std::uint64_t> threads_sleeping(const std::vector<pid_t>& but);

/// Whether all threads of the process but `idle`, which do nothing by themselves, sleep so, and nobody is left to wake
/// one: a fact, not a matter of time. Takes a tenth of a second where it may be so.
[[nodiscard]] bool sleeps_for_ever(pid_t process, const std::vector<pid_t>& idle);

}  // namespace dampi::launch
