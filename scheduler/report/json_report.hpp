// report.json: the whole result of a sweep for other programs. Schema "dampi-report/3"; within a version
// fields are only added.
#pragma once

#include "scheduler/report/verdict.hpp"

#include <filesystem>

#include <nlohmann/json.hpp>

namespace dampi::scheduler {

[[nodiscard]] nlohmann::json make_json_report(const ReportInputs& inputs);

/// Likewise, without what each single interleaving came to (`outcomes`), which is most of it.
[[nodiscard]] nlohmann::json make_json_summary(const ReportInputs& inputs);

/// {file, line, function, module, offset}, or null when nothing is known.
[[nodiscard]] nlohmann::json place_to_json(const replay::CodePlace& place);

/// Writes the report atomically. Bytes that are not UTF-8 become U+FFFD. Throws dampi::Error.
void write_json_report(const std::filesystem::path& path, const ReportInputs& inputs);

}  // namespace dampi::scheduler
