// One interleaving in Chrome's trace event format, which Perfetto (ui.perfetto.dev) and chrome://tracing open: a thread
// for each rank, a slice for each operation that chose, an arrow for each message that one took, and at the end what
// each rank of the finding was doing. The axis is the order of causes, a millisecond for each step of it, and no time.
#pragma once

#include "scheduler/report/verdict.hpp"

#include <filesystem>

#include <nlohmann/json.hpp>

namespace dampi::scheduler {

/// Of the first finding's interleaving. Without findings, of the first interleaving that is listed: of its operations
/// only the outcomes are kept then, so that each stands at its place among those of its rank, and there are no arrows.
[[nodiscard]] nlohmann::json make_trace(const ReportInputs& inputs);

/// Atomically. Throws dampi::Error.
void write_trace(const std::filesystem::path& path, const ReportInputs& inputs);

}  // namespace dampi::scheduler
