// The call stacks of processes that run: they are stopped for a moment (ptrace), read from outside, and go on. Nothing
// runs in them and no signal reaches them, so they need not cooperate; where the system forbids it there is no stack.
#pragma once

#include "replay/epoch.hpp"

#include <chrono>
#include <vector>

#include <sys/types.h>

namespace dampi::launch {

/// The stack of each process' main thread, innermost first: modules and offsets of calls, to be resolved by
/// SourceLines. Empty where it cannot be had, as of a process that is gone, or that does not stop within `patience`
/// (which is for all of them together; one that stops later goes on with the next call, or when this process ends).
[[nodiscard]] std::vector<std::vector<replay::CodePlace>> read_stacks(const std::vector<pid_t>& processes,
                                                                      std::chrono::milliseconds patience);

}  // namespace dampi::launch
