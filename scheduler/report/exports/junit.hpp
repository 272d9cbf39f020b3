// The result as JUnit's XML, which CI systems show as tests: one case that everything was explored (skipped where
// something was left out, an error where the sweep ended early), and a failed one for each finding that makes the sweep
// fail; one that does not is skipped.
#pragma once

#include "scheduler/report/verdict.hpp"

#include <filesystem>
#include <span>
#include <string>

namespace dampi::scheduler {

/// A suite of cases for each sweep.
[[nodiscard]] std::string make_junit(std::span<const ReportInputs> sweeps);

/// Atomically. Throws dampi::Error.
void write_junit(const std::filesystem::path& path, std::span<const ReportInputs> sweeps);

}  // namespace dampi::scheduler
