// What an engine is told of a settled request, wherever it runs the program: in dampi-run or in a worker.
#pragma once

#include "scheduler/cli/settled_request.hpp"
#include "scheduler/engines/run_setup.hpp"

#include <filesystem>

namespace dampi::scheduler {

/// All but the launcher. `output`: for what the program prints; `fresh`: for copies of the working directory.
[[nodiscard]] LocalEngineSettings engine_settings(const SettledRequest& request, const std::filesystem::path& output,
                                                  const std::filesystem::path& fresh,
                                                  const std::filesystem::path& layer);

/// How many runs go on side by side on this machine unless the user says so. Ranks wait for each other much of the
/// time, so a run of few ranks leaves cores idle; with very many ranks a second run would only cost memory.
[[nodiscard]] unsigned default_jobs(int processes);

}  // namespace dampi::scheduler
