// What a finding is recognised by when the program has changed: it holds while lines move and ranks are renumbered. For
// baselines and for the systems that read our exports; within a sweep findings are told apart more finely.
#pragma once

#include "replay/violation.hpp"
#include "scheduler/source_lines.hpp"

#include <string>

namespace dampi::scheduler {

/// 16 hexadecimal digits, of the kind and of each role: the MPI function, and its place's function and line of source
/// as a text without blanks. Ranks in the same role count once; no ranks, no numbers of lines and no paths. Those
/// who have no part in the cause do not count (replay::bystanders). Where no place is known the message counts instead,
/// without its numbers.
[[nodiscard]] std::string fingerprint(const replay::Violation& violation, SourceLines& sources);

}  // namespace dampi::scheduler
