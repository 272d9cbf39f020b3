// Functions of the program that only pass on: one call of MPI each, for several callers, such as one that receives and
// looks at the error code. What they do is their callers' doing. Found in the call stacks of a run; pure.
#pragma once

#include "replay/epoch.hpp"

#include <string>
#include <vector>

namespace dampi::scheduler {

/// Patterns for their names, sorted, as name_users_places() takes them. `stacks`: of all calls of a run, innermost
/// frame first. A function counts that calls MPI, or one that passes on, in one place of its own and is called from
/// more than one.
[[nodiscard]] std::vector<std::string> functions_that_pass_on(
    const std::vector<std::vector<replay::CodePlace>>& stacks);

}  // namespace dampi::scheduler
