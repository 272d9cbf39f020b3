// The result as JUnit's XML, which CI systems show as tests: one case that everything was explored (skipped where
// something was left out, an error where the sweep ended early), and a failed one for each finding that makes the sweep
// fail; one that does not is skipped.
#pragma once

#include "scheduler/report/verdict.hpp"

#include <filesystem>
#include <string>

namespace dampi::scheduler {

[[nodiscard]] std::string make_junit(const ReportInputs& inputs);

/// Atomically. Throws dampi::Error.
void write_junit(const std::filesystem::path& path, const ReportInputs& inputs);

}  // namespace dampi::scheduler
