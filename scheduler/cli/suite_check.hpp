// Whether all sweeps of a suite can begin, which is seen before any of them does: their options, their programs and the
// files that they name. Also says with which words each is run.
#pragma once

#include "scheduler/cli/parse_options.hpp"
#include "scheduler/suite/suite_file.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace dampi::scheduler {

/// The options of the sweep, after those that the command gives for each; of the latter none that its own exclude.
/// Throws dampi::Error, with the line of the suite's file where it is from one, where the sweep could not begin with
/// them. `directory`: its own; `layer`: libdampi.so. Changes nothing.
[[nodiscard]] std::vector<std::string> checked_options(const SuiteSweep& sweep,
                                                       const std::vector<ParsedOptions::Typed>& of_each_sweep,
                                                       const std::filesystem::path& directory,
                                                       const std::filesystem::path& layer);

/// The words with which the sweep is run, without the command's name.
[[nodiscard]] std::vector<std::string> command_of(const SuiteSweep& sweep, const std::vector<std::string>& options,
                                                  const std::filesystem::path& directory);

}  // namespace dampi::scheduler
