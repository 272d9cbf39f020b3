// A violation found in the program under test: a value, never an exception.
// The kinds are the vocabulary of the reports: deadlock, crash, abort, exit, leak/request,
// leak/communicator, leak/group, leak/datatype, leak/operator, leak/window, leak/errhandler, leak/keyval,
// leak/message, divergence, imprecise-match.
#pragma once

#include "replay/epoch.hpp"

#include <string>
#include <vector>

namespace dampi::replay {

/// What one rank was doing when the violation was seen.
struct RankSituation {
    Rank rank = 0;
    std::string call;    ///< "MPI_Recv"; empty when the rank was outside MPI
    std::string detail;  ///< the call's arguments in words: "source 2, tag 7, MPI_COMM_WORLD"
    CodePlace where;
};

struct Violation {
    std::string kind;
    std::string message;                    ///< one sentence for the user
    std::vector<Rank> ranks;                ///< sorted; those that the violation is about
    std::vector<RankSituation> situations;  ///< one per rank where known; the first gives the place
};

/// The tool's own doubts are verdicts of a run, but never violations of the program.
[[nodiscard]] inline bool is_doubt(const Violation& violation) {
    return violation.kind == "divergence" || violation.kind == "imprecise-match";
}

}  // namespace dampi::replay
