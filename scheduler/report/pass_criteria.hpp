// What makes a sweep fail where it is a test among others: by default every violation, and anything that is left out;
// otherwise what --fail-on, --expect, --baseline,
// --suppressions and --incomplete-ok say. Decides the exit status and which findings
// count for it, never the verdict.
#pragma once

#include "scheduler/report/passing.hpp"
#include "scheduler/report/suppressions.hpp"
#include "scheduler/report/verdict.hpp"

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dampi::scheduler {

/// Whether it is a word for --fail-on: `all`, `new`, or one that names violations.
[[nodiscard]] bool is_fail_word(const std::string& word);

/// Those words but for patterns: `all`, `new`, severities, kinds.
[[nodiscard]] std::vector<std::string> all_fail_words();

/// The findings of an earlier sweep, as its report.json tells them. Throws dampi::Error that names the file where it
/// cannot be read or is no such report.
[[nodiscard]] std::vector<Passing::Known> read_baseline(const std::filesystem::path& report);

/// An entry of the baseline stands for one finding: of two with the same fingerprint the second is new where the
/// baseline has one.
/// Suppressions in the source come after those given. Those that stand for a finding and hold `today` keep it from
/// failing, unless something came of the finding that nothing suppresses there: the first of them, or, where each
/// rank's own doing must be suppressed, the first for each rank, together. One that does not hold any more makes the
/// sweep fail.
[[nodiscard]] Passing judge_passing(const ReportInputs& inputs, const std::vector<Passing::Known>& baseline,
                                    const std::vector<Suppression>& suppressions, std::chrono::year_month_day today);

/// Whether --expect names the kind.
[[nodiscard]] bool expects(const Options& options, replay::ViolationKind kind);

/// With --fail-on warning notes fail, too, where there are any.
[[nodiscard]] bool notes_fail(const ReportInputs& inputs);

/// That of `inputs.passing`; before it is judged that of the verdict.
[[nodiscard]] int exit_status_of(const ReportInputs& inputs);

/// Whether a suppression makes the sweep fail: it has expired, or cannot be understood.
[[nodiscard]] bool is_to_be_mended(const Passing::Applied& suppression);

/// What has come of a suppression, in words.
[[nodiscard]] std::string state_text(const Passing::Applied& suppression);

/// For the terminal: how many findings are known, new and gone, what the suppressions stand for, and why the exit
/// status is not that of the verdict. Lines; empty where everything is as it goes without these options.
[[nodiscard]] std::string passing_text(const ReportInputs& inputs);

}  // namespace dampi::scheduler
