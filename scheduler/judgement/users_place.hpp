// The place that a finding names: the user's line, and not that of a function of his that only passes calls on. Decides
// nothing about what is a violation; what has no call stack keeps its place.
#pragma once

#include "replay/violation.hpp"

#include <string>
#include <vector>

namespace dampi::scheduler {

/// The place of what each rank did becomes that of the innermost function on its stack that none of `wrappers` names
/// (replay::names_function()). A stack of nothing but wrappers, and the place of a rank that was outside MPI, stay.
void name_users_places(replay::Violation& violation, const std::vector<std::string>& wrappers);

}  // namespace dampi::scheduler
