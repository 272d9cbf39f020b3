// What no verdict speaks of, however complete: kinds of faults that nothing looks for. The one list of them, which
// shrinks as checks come.
#pragma once

#include "launch/program/program.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace dampi::scheduler {

/// Short phrases, "buffers". What belongs to functions that the program does not import is not named; of
/// a program that loads MPI at run time nothing is known, so everything is. `checks_buffers`: loads and stores are
/// looked for.
[[nodiscard]] std::vector<std::string> not_checked(const launch::Program& program, bool checks_buffers);

/// What is asked for in the place of a kind of finding to be told what_is_not_checked().
inline constexpr std::string_view not_checked_word = "not-checked";
/// All of these phrases, why it is so, and what can be done about it; for a terminal.
[[nodiscard]] std::string what_is_not_checked();

}  // namespace dampi::scheduler
