// Turns the facts of one finished run into its record: which violations they amount to, and which of the
// facts are only consequences of another one.
#pragma once

#include "launch/job.hpp"
#include "replay/decision.hpp"
#include "replay/run_record.hpp"
#include "scheduler/judgement/rank_states.hpp"
#include "scheduler/judgement/record_reader.hpp"
#include "scheduler/judgement/run_ending.hpp"
#include "scheduler/judgement/sanitizer_reports.hpp"

#include <filesystem>
#include <vector>

namespace dampi::scheduler {

struct RunFacts {
    RecordReader& reader;               ///< has read
    std::vector<launch::RankEnd> ends;  ///< running: was ended by us; taken: by its launcher
    std::vector<bool> may_have_begun;   ///< by rank: an MPI library may have been initialised in it
    std::vector<launch::AbortRequest> aborts;
    RunEnding ending;
    std::vector<std::vector<replay::CodePlace>> stacks;  ///< by rank: call stacks that were read from outside
    std::filesystem::path stderr_file;        ///< what the ranks wrote; the MPI library explains itself there
    std::vector<SanitizersWords> sanitizers;  ///< by rank; none where the program has none
    bool late_start = false;                  ///< the layer comes to a rank with its first call of MPI, if there is one
    bool message_leaks = true;
    std::vector<replay::Decision> decisions = {};  ///< that were forced on the run
    bool stopped = false;                          ///< the user wants no more: it will be run again
};

/// Throws dampi::InternalError when the layer itself failed in a rank, and dampi::Error when the program turns out to
/// be none that can be verified.
replay::RunRecord judge(RunFacts facts);

}  // namespace dampi::scheduler
