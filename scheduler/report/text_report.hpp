// The report for the terminal: what was explored, what was found and how to see it again, what was left out,
// and in the last line the verdict.
#pragma once

#include "scheduler/report/verdict.hpp"

#include <string>

namespace dampi::scheduler {

/// The whole text, ending with a newline. Options::verbosity -1 gives one line for each finding and the
/// verdict, 1 also a line for each interleaving.
[[nodiscard]] std::string make_text_report(const ReportInputs& inputs);

/// The last line, without a newline: "dampi: verdict: clean (complete: 12 interleavings under native buffering; all
/// outcomes of the modelled calls; not checked: buffers)". With Lamport clocks it says that they
/// cannot tell more.
[[nodiscard]] std::string verdict_line(const ReportInputs& inputs);

/// The command that replays a decision file (its path relative to the sweep's directory, or absolute),
/// quoted so that it can be pasted into a shell.
[[nodiscard]] std::string replay_command(const ReportInputs& inputs, const std::filesystem::path& decision_file);

}  // namespace dampi::scheduler
