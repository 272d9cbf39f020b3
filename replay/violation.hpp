// A violation found in the program under test: a value, never an exception.
#pragma once

#include "replay/epoch.hpp"
#include "replay/violation_kind.hpp"
#include "replay/wait_for_graph.hpp"

#include <optional>
#include <string>
#include <vector>

namespace dampi::replay {

/// What one rank was doing when the violation was seen.
struct RankSituation {
    Rank rank = 0;
    std::string call;                   ///< "MPI_Recv"; empty when the rank was outside MPI
    std::string detail;                 ///< what it waits for, or what was wrong, in words
    CodePlace where;                    ///< of the call; of last_call for a rank outside MPI
    std::string arguments = {};         ///< the call's, where known: "count 1, datatype MPI_INT, source 2, tag 7"
    std::string last_call = {};         ///< of a rank outside MPI: the MPI function that it called last
    std::vector<CodePlace> stack = {};  ///< where known: innermost first, without the frames of MPI and of the layer
};

struct Violation {
    ViolationKind kind = {};
    std::string message;                    ///< one sentence for the user
    std::vector<Rank> ranks;                ///< sorted; those that the violation is about
    std::vector<RankSituation> situations;  ///< one per rank where known; the first gives the place
    double decided_after =
        0;  ///< of a deadlock or a hang: seconds from the last change about these ranks to the decision
    std::optional<WaitForGraph> wait_for = {};       ///< of a deadlock
    std::vector<UnmatchedOperation> unmatched = {};  ///< of a deadlock: sends and receives that found no partner
    /// What came of it and is not told for itself: kinds, sorted, each once, none of them its own.
    std::vector<ViolationKind> consequences = {};
};

}  // namespace dampi::replay
