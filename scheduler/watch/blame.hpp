// Turns what several looks at a standing job have shown into a report: who is to blame, who is behind, who waits for
// whom. Resolves addresses to source lines from files; touches no process.
#pragma once

#include "launch/program/source_lines.hpp"
#include "scheduler/watch/hang_report.hpp"
#include "scheduler/watch/progress_graph.hpp"
#include "scheduler/watch/stack_eye.hpp"

#include <functional>
#include <map>
#include <vector>

namespace dampi::scheduler::watch {

/// What is known of a standing job.
struct Evidence {
    std::vector<std::vector<StackLook>> looks;            ///< of all ranks, several; the same ranks in each
    std::vector<RankHistory> histories;                   ///< where the light layer is there
    std::map<int, std::vector<std::uint64_t>> arguments;  ///< of the calls that ranks are in; likewise
    /// Where an address of a process lies.
    std::function<replay::CodePlace(pid_t, std::uint64_t)> place_of;
};

/// Fills kind, groups, waits, blamed and least_progressed.
void assign_blame(const Evidence& evidence, launch::SourceLines& lines, HangReport& report);

/// For whom a call waits, by its arguments; nothing where that is nobody in particular, or its communicator is not
/// MPI_COMM_WORLD (of MPICH or Open MPI).
[[nodiscard]] std::optional<int> awaited_rank(const std::string& function, const std::vector<std::uint64_t>& arguments);

/// A circle in which each waits for the next one, if there is any; or one that waits for a rank that has `ended`.
[[nodiscard]] std::vector<HangWait> find_circle(const std::vector<HangWait>& waits, const std::vector<int>& ended);

}  // namespace dampi::scheduler::watch
