// From which functions of the program a finding's calls were made, where the run that has shown it did not say: a run
// that walks the stack in each call takes much longer, so it is made again for the findings alone.
#pragma once

#include "replay/violation.hpp"

#include <vector>

namespace dampi::scheduler {

/// Whether what a rank did in MPI has a place, and no call stack.
[[nodiscard]] bool lacks_stack(const replay::Violation& violation);

/// Gives each such part of `violation` the stack, and the place of the user's, that it has in `seen`: the violations of
/// a run that shows it again and knows the stacks of all calls. Where the same call came from several callers there,
/// that of the one whose words are the same, or the first. What is not found stays as it is.
void take_stacks(const std::vector<replay::Violation>& seen, replay::Violation& violation);

}  // namespace dampi::scheduler
