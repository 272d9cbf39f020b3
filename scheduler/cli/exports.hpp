// The files for other systems that a command is told to write, of one sweep or of several.
#pragma once

#include "scheduler/report/verdict.hpp"

#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace dampi::scheduler {

struct ExportFiles {
    std::optional<std::filesystem::path> junit;
    std::optional<std::filesystem::path> sarif;
    std::optional<std::filesystem::path> code_quality;
    std::optional<std::filesystem::path> trace;  ///< of the first sweep that has a finding, or else of the first
};

[[nodiscard]] ExportFiles export_files(const Options& options);

/// What a sweep has in its directory, and no report may be written over.
[[nodiscard]] std::vector<std::filesystem::path> own_files_of(const std::filesystem::path& directory);

/// Throws dampi::Error where one cannot be written, two are the same file, or one is among those to be kept: what is
/// found must not be lost for it, so it is asked before anything is run.
void require_writable(const ExportFiles& files, const std::vector<std::filesystem::path>& to_be_kept);

/// Throws dampi::Error.
void write_exports(const ExportFiles& files, std::span<const ReportInputs> sweeps);

}  // namespace dampi::scheduler
