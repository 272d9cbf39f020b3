// The verdict of a sweep, and everything that keeps it from being complete. The terminal's text, report.json
// and the exit status all come from here, so that they cannot disagree.
#pragma once

#include "launch/program/mpi_library.hpp"
#include "scheduler/confirmation.hpp"
#include "scheduler/corpus_case.hpp"
#include "scheduler/listed_calls.hpp"
#include "scheduler/order_account.hpp"
#include "scheduler/report/passing.hpp"
#include "scheduler/request.hpp"
#include "scheduler/sweep/sweep_result.hpp"
#include "scheduler/workers_account.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dampi::scheduler {

/// What the reports are made from.
struct ReportInputs {
    SweepResult result;
    Options options;                 ///< program, arguments, processes, the sweep's directory (output), verbosity
    std::string clock;               ///< "vector" or "lamport"
    std::string engine;              ///< name of the execution engine
    bool handed_over = false;        ///< it has taken over from the centralized one
    std::string engine_reason = {};  ///< why it did, or why it is not the centralized one; empty: nobody would ask
    Confirmation first_run = {};     ///< what MPI itself made of the centralized engine's
    /// Likewise of the run that shows each of result.findings; may be shorter.
    std::vector<Confirmation> confirmations = {};
    launch::MpiLibrary mpi_library;     ///< of the ranks
    std::string time_reason = {};       ///< why time was virtual, or real; empty: nobody would ask
    std::string merging_obstacle = {};  ///< why no run ends in a state of another one, a part of a sentence; or empty
    replay::Piggyback piggyback = replay::Piggyback::shared;
    std::vector<std::string> not_checked;  ///< see not_checked.hpp
    std::string version = DAMPI_VERSION;
    /// The decision file of each of result.findings, relative to the sweep's directory; may be shorter, and
    /// an empty path means that it has none.
    std::vector<std::filesystem::path> finding_files;
    std::vector<std::filesystem::path> needed_files;    ///< likewise: one with the choices that it needs alone
    std::vector<std::filesystem::path> doubt_files;     ///< likewise, of result.doubts
    std::vector<std::filesystem::path> finding_graphs;  ///< likewise: each finding's Graphviz file
    /// Likewise: the files that hold what the program printed in the run that shows it, where these were kept.
    std::vector<std::vector<std::filesystem::path>> finding_outputs = {};
    bool was_finished = false;           ///< the sweep had come to its end before it was resumed
    std::vector<std::string> launching;  ///< how the ranks were started, line by line; for --verbose
    /// Not empty: why the sweep ended before its time (an internal error, the program vanished).
    std::string error;
    Passing passing = {};                        ///< see pass_criteria.hpp
    std::vector<CorpusCase> corpus = {};         ///< what has become of its files
    std::vector<std::string> corpus_added = {};  ///< names of files that are new in it
    /// Not empty: nothing was run, all this is from here, an entry of a cache.
    std::string cached = {};
    std::optional<WorkersAccount> workers = {};  ///< those that have run the interleavings; none: dampi-run itself
    OrderAccount order = {};                     ///< with --explain-order
    /// Of the runs that show each of result.findings; may be shorter.
    std::vector<ListedCalls> calls = {};
};

/// The page for a browser (page.hpp), in the sweep's directory.
inline constexpr const char* page_name = "report.html";

/// What MPI itself made of the run that shows the finding at this place of result.findings.
[[nodiscard]] Confirmation confirmation_of(const ReportInputs& inputs, std::size_t i);

/// The file of the finding at this place; empty where it has none.
[[nodiscard]] std::filesystem::path file_at(const std::vector<std::filesystem::path>& files, std::size_t i);

/// The files that hold what the program printed in the run that shows the finding at this place.
[[nodiscard]] std::vector<std::filesystem::path> outputs_of(const ReportInputs& inputs, std::size_t i);

/// What follows a command so that the program reads the same: " < input.dat", or nothing.
[[nodiscard]] std::string read_from(const Options& options);

/// The command that goes on with the sweep; empty where nothing is left or it cannot be resumed.
[[nodiscard]] std::string resume_command(const ReportInputs& inputs);

enum class Verdict { clean, violations, incomplete, error };

/// "clean", "violations", "incomplete" or "error".
[[nodiscard]] std::string_view verdict_name(Verdict verdict);

/// What bounds of the search left out, one entry for each of them.
[[nodiscard]] std::vector<LeftOut> left_out_by_bounds(const SweepResult& result,
                                                      const heuristics::SearchBoundSettings& bounds);

/// Names that options give and that have changed nothing in the whole sweep, as sentences: as when they are misspelt.
[[nodiscard]] std::vector<std::string> names_of_nothing(const ReportInputs& inputs);

/// How to include what was left out; empty if no option does.
[[nodiscard]] std::string remedy(const LeftOut& left);

/// result.left_out, and what it forgot to name: known alternatives that were not run, calls that were not
/// modelled, the tool's own doubts, a sweep that ran nothing. Empty exactly when the result is complete.
[[nodiscard]] std::vector<LeftOut> everything_left_out(const SweepResult& result);

/// The estimate, unless more interleavings are known than it says: random walks take the false answers of polling calls
/// as they come, and do not count the other numbers of them that are explored.
[[nodiscard]] std::optional<heuristics::SizeEstimate> believable_size(const SweepResult& result);

/// Whether it can depend on choices that a finding shows: not where each of several interleavings has shown it that
/// tell (what is seen at the end of a run, those that have come there), nor, as far as it is known, where only one has
/// looked for it.
[[nodiscard]] bool choices_matter(const SweepResult& result, const Finding& finding);

[[nodiscard]] Verdict verdict_of(const ReportInputs& inputs);

/// 0 clean, 1 violations, 3 incomplete, 4 error. (2, usage and environment errors, never gets this far.)
[[nodiscard]] int exit_status(Verdict verdict);

}  // namespace dampi::scheduler
