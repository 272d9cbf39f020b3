// What a rank does after its data have become undefined may follow from that: a crash, a failed assertion, an abort, or
// its exit status. Such a finding stays one, for it may be a fault of its own; decided here is only of which it can be
// said that another one came first.
#pragma once

#include "replay/violation.hpp"
#include "scheduler/sweep/sweep_result.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace dampi::scheduler {

/// Of the violations of one run: by replay::cause_of() of each that ended ranks, those of the violations that come
/// before it, sorted; none where there are none. One comes before if it leaves data undefined, and each of the ranks
/// that ended had a part in it: what a rank did it did before its end. Of a message of other types that is the
/// receiver.
[[nodiscard]] std::map<std::string, std::vector<std::string>> aftermath_of(
    const std::vector<replay::Violation>& violations);

/// The places in `findings` of those that this one, one of them, comes after; sorted.
[[nodiscard]] std::vector<std::size_t> comes_after(const std::vector<Finding>& findings, const Finding& finding);

}  // namespace dampi::scheduler
