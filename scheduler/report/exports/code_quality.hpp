// The findings as GitLab's code quality report: a list of sentences with a place each. Findings, doubts and notes are
// in it; the doubts as information, for they are none of the program's faults, and so what is suppressed.
#pragma once

#include "scheduler/report/verdict.hpp"

#include <filesystem>
#include <span>

#include <nlohmann/json.hpp>

namespace dampi::scheduler {

/// Paths within `root`, see source_root.hpp; a finding without a line of source stands at line 1 of the program.
/// What several sweeps found is in it once, as severe as in the one where it is most.
[[nodiscard]] nlohmann::json make_code_quality(std::span<const ReportInputs> sweeps, const std::filesystem::path& root);

/// Atomically. Throws dampi::Error.
void write_code_quality(const std::filesystem::path& path, std::span<const ReportInputs> sweeps,
                        const std::filesystem::path& root);

}  // namespace dampi::scheduler
