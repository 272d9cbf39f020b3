// Runs the sweeps of a suite, one after the other, each as a process of dampi-run's own with a directory of its own,
// and makes one report of all.
#pragma once

#include "scheduler/request.hpp"

#include <string>
#include <vector>

namespace dampi::scheduler {

/// `given.suite` is the file. Returns the exit status: that of the worst sweep. Throws dampi::Error before anything is
/// run or written where the file is wrong.
[[nodiscard]] int run_suite(const Options& given);

/// Likewise of one program with each of these numbers of processes; `words`: options of each sweep.
[[nodiscard]] int run_with_counts(const Options& given, const std::vector<int>& counts,
                                  const std::vector<std::string>& words);

}  // namespace dampi::scheduler
