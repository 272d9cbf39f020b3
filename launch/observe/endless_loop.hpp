// Whether a thread that computes goes round in a loop which it can never leave: a fact, not a matter of time. It is let
// go on instruction by instruction for a moment (traced_thread.hpp), and nothing else of it is changed.
#pragma once

#include <cstdint>
#include <vector>

#include <sys/types.h>

namespace dampi::launch {

/// Instructions that a thread is followed for at most: some tenths of a second, never longer than one.
inline constexpr std::uint64_t most_followed = 20'000;

/// If the process' main thread comes to where it has been before, with the same in all registers and in all memory that
/// it could have written, and has neither asked the system, the clock nor chance meanwhile, what it does next is what
/// it has done. `idle_threads`: others of it that are known to do nothing by themselves; the rest must sleep
/// (sleeping_threads.hpp). That other processes change memory that they share with it is for the caller to exclude.
/// Mapped files make it false, handlers of signals (handled_signals.hpp), and all that cannot be had or is not known,
/// as on other processors than x86-64.
[[nodiscard]] bool loops_for_ever(pid_t process, const std::vector<pid_t>& idle_threads);

}  // namespace dampi::launch
