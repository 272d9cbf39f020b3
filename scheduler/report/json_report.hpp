// report.json: the whole result of a sweep for other programs. Schema "dampi-report/3"; within a version
// fields are only added.
#pragma once

#include "scheduler/report/verdict.hpp"

#include <filesystem>
#include <functional>

#include <nlohmann/json.hpp>

namespace dampi::scheduler {

[[nodiscard]] nlohmann::json make_json_report(const ReportInputs& inputs);

using FindingFilter = std::function<bool(const Finding&)>;

/// Likewise, without what each single interleaving came to (`outcomes`), which is most of it; and with their `epochs`
/// only of findings for which `with_epochs` says so; those of others are then among the `epochs_omitted`.
[[nodiscard]] nlohmann::json make_json_summary(const ReportInputs& inputs, const FindingFilter& with_epochs);

/// {file, line, function, module, offset}, or null when nothing is known.
[[nodiscard]] nlohmann::json place_to_json(const replay::CodePlace& place);

/// The field `wait_for` of a deadlock.
[[nodiscard]] nlohmann::json wait_for_to_json(const replay::WaitForGraph& graph);

/// Writes the report atomically. Bytes that are not UTF-8 become U+FFFD. Throws dampi::Error.
void write_json_report(const std::filesystem::path& path, const ReportInputs& inputs);

}  // namespace dampi::scheduler
