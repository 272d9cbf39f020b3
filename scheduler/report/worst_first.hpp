// In which order people want to see the findings of a sweep: violations before doubts before notes, and of each the
// worst first. Decides nothing about them.
#pragma once

#include "scheduler/sweep/sweep_result.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace dampi::scheduler {

/// The lists of findings in report.json, in this order.
inline constexpr std::array finding_lists{"violations", "doubts", "notes"};

[[nodiscard]] const std::vector<Finding>& findings_of(const SweepResult& result, std::size_t list);

struct FindingPlace {
    std::size_t list = 0;  ///< in finding_lists
    std::size_t index = 0;
};

/// All of them. What ended or stopped the program comes before what it only did wrong, and that before what it forgot;
/// but behind what it may follow from (sweep/aftermath.hpp).
[[nodiscard]] std::vector<FindingPlace> worst_first(const SweepResult& result);

}  // namespace dampi::scheduler
