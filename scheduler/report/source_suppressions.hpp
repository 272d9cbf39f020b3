// Findings that the user has decided to live with, told in the program's source, on the line of the finding or in a
// comment of its own on the line above:
//
//     MPI_Irecv(...);  // dampi: allow leak/request  # the library never completes it, until 2027-01
//     ! dampi: allow leak/communicator  # in Fortran
//
// The reason may be left out. They are what lines of a file of suppressions are (suppressions.hpp), in the files that
// the calls and findings of a sweep name, where these are there.
#pragma once

#include "replay/violation.hpp"
#include "scheduler/report/suppressions.hpp"
#include "scheduler/source_lines.hpp"
#include "scheduler/sweep/sweep_result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace dampi::scheduler {

struct SourceSuppression {
    std::string file;
    Suppression what;     ///< its line is that of the comment
    int line = 0;         ///< that it stands for
    std::string trouble;  ///< not empty: it cannot be understood, and stands for nothing; why, without file and line
};

/// Of one line of a source file, which is the line `number`; empty where it has no such comment.
[[nodiscard]] std::vector<SourceSuppression> suppressions_in_line(const std::string& file, int number,
                                                                  std::string_view text);

/// All in the files that the result names, by file and line.
[[nodiscard]] std::vector<SourceSuppression> source_suppressions(const SweepResult& result, SourceLines& sources);

/// Whether it stands for what this rank did in a violation of this kind: it names the kind, and is at the line.
[[nodiscard]] bool suppresses(const SourceSuppression& suppression, replay::ViolationKind kind,
                              const replay::RankSituation& situation);

}  // namespace dampi::scheduler
