// The report for the terminal: what was explored, what was found and how to see it again, what was left out,
// and in the last line the verdict.
#pragma once

#include "scheduler/report/verdict.hpp"

#include <cstddef>
#include <string>

namespace dampi::scheduler {

/// The whole text, ending with a newline. Options::verbosity -1 gives one line for each finding and the
/// verdict, 1 also a line for each interleaving.
[[nodiscard]] std::string make_text_report(const ReportInputs& inputs);

/// The lines about one of the result's findings, and an empty one.
[[nodiscard]] std::string finding_text(const ReportInputs& inputs, std::size_t i);

/// What an operation of the interleaving came to, and what else it could have: "0#0 MPI_Recv at app.c:12 (main) on
/// MPI_COMM_WORLD: matched the message from rank 1 (forced), could have matched rank 2".
[[nodiscard]] std::string choice_text(const SweepResult& result, const replay::Epoch& epoch);

/// The last line, without a newline: "dampi: verdict: clean (complete: 12 interleavings under native buffering; all
/// outcomes of the modelled calls; not checked: buffers)". With Lamport clocks it says that they
/// cannot tell more.
[[nodiscard]] std::string verdict_line(const ReportInputs& inputs);

/// The command that replays a decision file (its path relative to the sweep's directory, or absolute),
/// quoted so that it can be pasted into a shell.
[[nodiscard]] std::string replay_command(const ReportInputs& inputs, const std::filesystem::path& decision_file);

}  // namespace dampi::scheduler
