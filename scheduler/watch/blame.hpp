// Turns what several looks at a standing job have shown into a report: who is to blame, who is behind, who waits for
// whom. Resolves addresses to source lines from files; touches no process.
#pragma once

#include "launch/program/source_lines.hpp"
#include "launch/program/variables.hpp"
#include "scheduler/watch/facts.hpp"
#include "scheduler/watch/hang_report.hpp"
#include "scheduler/watch/progress_graph.hpp"
#include "scheduler/watch/stack_eye.hpp"

#include <vector>

namespace dampi::scheduler::watch {

/// What is known of a standing job.
struct Evidence {
    std::vector<std::vector<StackLook>> looks;  ///< of all ranks, several; the same ranks in each
    std::vector<RankHistory> histories;         ///< where the light layer is there
    /// From facts, likewise. That of `Room::may_be_found` is one by itself; that of `Room::is_none` says what kind of
    /// hang it is that has been found otherwise.
    std::vector<RankFacts> facts;
    Conclusion surely;
    Conclusion without_room;
};

/// Adds to the group of a rank where the integers of the functions that its loops are in stand.
void add_variables(int rank, const std::vector<launch::LocalNumber>& numbers, HangReport& report);

/// Fills kind, groups, waits, blamed and least_progressed.
void assign_blame(const Evidence& evidence, launch::SourceLines& lines, HangReport& report);

}  // namespace dampi::scheduler::watch
