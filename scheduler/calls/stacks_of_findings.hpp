// From which functions of the program a finding's calls were made, where the run that has shown it did not say, and
// which of them only pass on what others do; the same of the choices that lead to it; and from which statement main has
// returned. A run that walks the stack in each call, and follows main, takes much longer, so it is made again for the
// findings alone.
#pragma once

#include "replay/epoch.hpp"
#include "replay/run_record.hpp"
#include "replay/violation.hpp"

#include <cstddef>
#include <vector>

namespace dampi::scheduler {

/// Whether what a rank did in MPI was not done in the program's outermost function, or that is not known: a function
/// that only passes on may have done it for another. Or a rank's main has returned.
[[nodiscard]] bool other_run_tells_more(const replay::Violation& violation);

/// Whether that of a rank has.
[[nodiscard]] bool main_has_returned(const replay::Violation& violation);

/// Gives each part of `violation` the place of the user's that it has in `seen`, and the stack if it has none: the
/// violations of a run that shows it again, knows the stacks of all calls, by them which functions only pass on, and
/// from where main has returned.
/// Where the same call came from several callers there, that of the one whose words are the same, or the first. What is
/// not found stays as it is.
void take_stacks(const std::vector<replay::Violation>& seen, replay::Violation& violation);

/// Whether it has choices whose call stacks are not known, and that were made in functions that may only pass on: what
/// the program does in main itself is nobody else's doing.
[[nodiscard]] bool choices_lack_stacks(const std::vector<replay::Epoch>& epochs);

/// So many of a finding's choices are told with their call stacks.
inline constexpr std::size_t most_choice_stacks = 100;

/// Gives each of `epochs`, those of a finding, the place of the user's that it has in `seen`, a run that shows it again
/// and knows the stacks of all calls. Returns these stacks, by place in `epochs`; an empty one: not known.
[[nodiscard]] std::vector<std::vector<replay::CodePlace>> take_stacks_of_choices(const replay::RunRecord& seen,
                                                                                 std::vector<replay::Epoch>& epochs);

/// Violations of `seen` that are the one that the sweep has found, for it did not know their callers: all of them, if
/// there is more than one, and none is just the sweep's.
[[nodiscard]] std::vector<replay::Violation> told_apart(const std::vector<replay::Violation>& seen,
                                                        const replay::Violation& violation);

}  // namespace dampi::scheduler
