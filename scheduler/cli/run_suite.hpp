// Runs several sweeps, of a suite or of one program with several numbers of processes: one after the other, each as a
// process of dampi-run's own with a directory of its own, and makes one report of all.
#pragma once

#include "scheduler/cli/parse_options.hpp"

#include <filesystem>

namespace dampi::scheduler {

/// `given` has a suite, or several numbers of processes; `layer`: libdampi.so. Returns the exit status: that of the
/// worst sweep. Throws dampi::Error before anything is run or written where one of the sweeps could not begin.
[[nodiscard]] int run_suite(const ParsedOptions& given, const std::filesystem::path& layer);

}  // namespace dampi::scheduler
