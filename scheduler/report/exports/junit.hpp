// The result as JUnit's XML, which CI systems show as tests: one case for the verdict (failed where
// there are violations, skipped where something was left out or no violation counts, an error where the sweep ended
// early), and a failed one for each thing that makes the sweep fail: a finding, a note, a kind that was expected, a
// suppression. A finding that does not make it fail is skipped.
#pragma once

#include "scheduler/report/verdict.hpp"

#include <filesystem>
#include <span>
#include <string>

namespace dampi::scheduler {

/// A suite of cases for each sweep. Paths of files are those within `root`, where they are below.
[[nodiscard]] std::string make_junit(std::span<const ReportInputs> sweeps, const std::filesystem::path& root);

/// Atomically. Throws dampi::Error.
void write_junit(const std::filesystem::path& path, std::span<const ReportInputs> sweeps,
                 const std::filesystem::path& root);

}  // namespace dampi::scheduler
