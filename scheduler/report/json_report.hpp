// report.json: the whole result of a sweep for other programs. Schema "dampi-report/3"; within a version
// fields are only added.
#pragma once

#include "scheduler/report/verdict.hpp"

#include <cstddef>
#include <filesystem>

#include <nlohmann/json.hpp>

namespace dampi::scheduler {

/// Of each finding at most this many epochs go into the report; those that were forced or have alternatives
/// come before the others. How many were left out is said in "epochs_omitted".
inline constexpr std::size_t largest_epoch_list = 10'000;

[[nodiscard]] nlohmann::json make_json_report(const ReportInputs& inputs);

/// Writes the report atomically. Bytes that are not UTF-8 become U+FFFD. Throws dampi::Error.
void write_json_report(const std::filesystem::path& path, const ReportInputs& inputs);

}  // namespace dampi::scheduler
