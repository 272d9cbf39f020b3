// What the reports of a sweep are made from, kept in its directory, so that any of them can be made later. Only the
// dampi that wrote it reads it; whoever else looks for something in a sweep's directory reads report.json.
#pragma once

#include "scheduler/report/verdict.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace dampi::scheduler {

/// The file, in the sweep's directory.
inline constexpr const char* kept_report_name = "report.data";

/// Atomically. `build`: what tells this dampi from others. Throws dampi::Error.
void keep_report(const std::filesystem::path& directory, const ReportInputs& inputs, const std::string& build);

/// What was kept in the directory; the reports then speak of the directory under this name. Throws dampi::Error where
/// there is nothing, where another build has written it, and where it is damaged.
[[nodiscard]] ReportInputs read_kept_report(const std::filesystem::path& directory, const std::string& build);

/// For who keeps them elsewhere.
[[nodiscard]] std::string bytes_of_report(const ReportInputs& inputs);
/// The inverse. Throws dampi::Error.
[[nodiscard]] ReportInputs report_of_bytes(std::string_view bytes);

}  // namespace dampi::scheduler
