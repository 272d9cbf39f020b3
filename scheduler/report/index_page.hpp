// One page for several sweeps: a table with the verdict of each and a link to its report.html. A plain document without
// script or style; what comes from programs is text, never markup.
#pragma once

#include "scheduler/report/verdict.hpp"

#include <filesystem>
#include <span>
#include <string>

namespace dampi::scheduler {

/// Links are relative to `folder`, in which the page is to lie.
[[nodiscard]] std::string make_index_page(std::span<const ReportInputs> sweeps, const std::filesystem::path& folder);

/// Atomically. Throws dampi::Error.
void write_index_page(const std::filesystem::path& path, std::span<const ReportInputs> sweeps);

}  // namespace dampi::scheduler
