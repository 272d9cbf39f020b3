// The result as SARIF 2.1.0 (Static Analysis Results Interchange Format, OASIS 2020), which systems read that show
// findings in the source: the table of kinds as rules, each finding with the places of its ranks and its interleaving
// as a code flow. What was left out is a notification of the run, for a SARIF file has no verdict.
#pragma once

#include "scheduler/report/verdict.hpp"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include <nlohmann/json.hpp>

namespace dampi::scheduler {

/// What GitHub reads; other systems have no lower limits.
struct SarifLimits {
    std::size_t results = 25'000;
    std::size_t bytes = 10'000'000;
};

/// Paths are within `root` where they are below it (source_root.hpp), and absolute URIs elsewhere.
/// A run for each sweep. What is beyond the limits is left out, from the end: first interleavings, stacks and other
/// places, then results; a notification of the first run says how many.
[[nodiscard]] nlohmann::json make_sarif(std::span<const ReportInputs> sweeps, const std::filesystem::path& root,
                                        const SarifLimits& limits = {});
/// As it is written.
[[nodiscard]] std::string text_of_sarif(const nlohmann::json& sarif);

/// Atomically. Throws dampi::Error.
void write_sarif(const std::filesystem::path& path, std::span<const ReportInputs> sweeps,
                 const std::filesystem::path& root);

}  // namespace dampi::scheduler
