// Makes a program smaller as long as it shows what is being looked for.
#pragma once

#include "tests/oracle/program.hpp"

#include <cstddef>
#include <functional>

namespace dampi::oracle {

/// Leaves out ranks, collectives, operations and branches, and makes operations plainer, one change at a time
/// as long as `shows` says yes; asks it at most `most_questions` times. `shows(program)` must hold.
[[nodiscard]] Program shrink(Program program, const std::function<bool(const Program&)>& shows,
                             std::size_t most_questions = 300);

}  // namespace dampi::oracle
