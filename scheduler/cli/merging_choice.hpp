// Whether runs of a sweep may end in states in which earlier ones have been (docs/architecture/equal-states.md), as far
// as the program's imports and the options say.
#pragma once

#include "launch/program/program.hpp"
#include "scheduler/request.hpp"

#include <optional>
#include <string>

namespace dampi::scheduler {

/// Why they may not, a part of a sentence; nothing if they may. The engine and the kind of time are settled.
[[nodiscard]] std::optional<std::string> obstacle_to_merging(const Options& options, const launch::Program& program);

/// Whether what the program prints depends on nothing but the messages, as far as its imports show: not on the time,
/// nor on how often a poll has answered "nothing yet".
[[nodiscard]] bool printed_tells(const launch::Program& program);

}  // namespace dampi::scheduler
