// Runs the sweeps of a suite, one after the other, each as a process of dampi-run's own with a directory of its own,
// and makes one report of all.
#pragma once

#include "scheduler/request.hpp"

namespace dampi::scheduler {

/// `given.suite` is the file. Returns the exit status: that of the worst sweep. Throws dampi::Error before anything is
/// run or written where the file is wrong.
[[nodiscard]] int run_suite(const Options& given);

}  // namespace dampi::scheduler
