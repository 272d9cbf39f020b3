// What sweeps are called in files that hold several of them, so that whoever reads the files one after the other knows
// which sweep is which. Decides from what each sweep is, never from the order.
#pragma once

#include "scheduler/report/verdict.hpp"

#include <span>
#include <string>
#include <vector>

namespace dampi::scheduler {

/// "app-n3" each, of the program and the number of processes; where others are called so, too, the name of their
/// directory. Should that not tell them apart either, a number follows.
[[nodiscard]] std::vector<std::string> sweep_names(std::span<const ReportInputs> sweeps);

}  // namespace dampi::scheduler
