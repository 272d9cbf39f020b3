// The result as SARIF 2.1.0 (Static Analysis Results Interchange Format, OASIS 2020), which systems read that show
// findings in the source: the table of kinds as rules, each finding with the places of its ranks and its interleaving
// as a code flow. What was left out is a notification of the run, for a SARIF file has no verdict.
#pragma once

#include "scheduler/report/verdict.hpp"

#include <filesystem>
#include <span>

#include <nlohmann/json.hpp>

namespace dampi::scheduler {

/// Paths are within `root` where they are below it (source_root.hpp), and absolute URIs elsewhere.
/// A run for each sweep.
[[nodiscard]] nlohmann::json make_sarif(std::span<const ReportInputs> sweeps, const std::filesystem::path& root);

/// Atomically. Throws dampi::Error.
void write_sarif(const std::filesystem::path& path, std::span<const ReportInputs> sweeps,
                 const std::filesystem::path& root);

}  // namespace dampi::scheduler
