// What the ranks were doing when a violation was seen, in words: each rank's call, who waits for whom, and the messages
// and receives that found no partner. Few lines, also for thousands of ranks.
#pragma once

#include "replay/violation.hpp"
#include "scheduler/report/alike.hpp"

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

namespace dampi::scheduler {

/// Ranks in the same situation.
struct SituationGroup {
    std::vector<replay::Rank> ranks;
    std::string call;       ///< "MPI_Recv(count 1, source 2) at app.c:12 (main)", "outside MPI ..."
    std::string detail;     ///< what they wait for; may be empty
    std::string stack;      ///< may be empty
    std::size_t first = 0;  ///< of its situations, by their place in the violation
};

/// In the order of the situations; as group_alike().
[[nodiscard]] std::vector<SituationGroup> group_situations(const std::vector<replay::RankSituation>& situations,
                                                           std::size_t most, replay::Rank ranks);

/// Where the rank was: of one outside MPI what it was about, if that is known, and not the call that it made last.
[[nodiscard]] const replay::CodePlace& shown_place(const replay::RankSituation& situation);

/// The lines of a finding about its ranks. `ranks`: how many the program has.
void print_situations(std::ostream& out, const replay::Violation& violation, replay::Rank ranks);

/// The cycle or knot, and what each rank in it needs.
void print_wait_for(std::ostream& out, const replay::WaitForGraph& graph, replay::Rank ranks);

void print_unmatched(std::ostream& out, const std::vector<replay::UnmatchedOperation>& unmatched, replay::Rank ranks);

}  // namespace dampi::scheduler
