// The place that a finding names: the user's line, and not that of a function of his that only passes calls on. Decides
// nothing about what is a violation; what has no call stack keeps its place.
#pragma once

#include "replay/epoch.hpp"
#include "replay/violation.hpp"

#include <string>
#include <vector>

namespace dampi::scheduler {

[[nodiscard]] bool is_in_systems_library(const replay::CodePlace& place);
/// Code of a library that the compiler has put into the program: what std::vector does, say.
[[nodiscard]] bool is_from_systems_header(const replay::CodePlace& place);

/// The place of what each rank did becomes that of the innermost function on its stack that none of `wrappers` names
/// (replay::names_function()). A stack of nothing but wrappers, and the place of a rank that was outside MPI, stay.
/// What loads or stores in a buffer has the innermost place that is not a system header's or library's, either.
void name_users_places(replay::Violation& violation, const std::vector<std::string>& wrappers);

/// Likewise of what the ranks chose at, where its call stack is known: `stacks` are RunRecord::stacks. What lies in the
/// system's libraries (those of bindings, say) or headers only passes on, too. A stack that is of another call (the
/// first of a stretch of polls, and another one has answered) is forgotten.
void name_users_places(std::vector<replay::Epoch>& epochs, const std::vector<std::vector<replay::CodePlace>>& stacks,
                       const std::vector<std::string>& wrappers);

}  // namespace dampi::scheduler
