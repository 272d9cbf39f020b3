// How severe a finding is: as its kind is, except where it is an error that this MPI library does not let happen.
#pragma once

#include "replay/violation_kind.hpp"
#include "scheduler/sweep/sweep_result.hpp"

#include <string>

namespace dampi::scheduler {

/// Where everything was explored, a violation that is seen only if standard sends wait for their receives, and not with
/// the buffering of the library, is one of portability. In doubt it is as severe as its kind.
[[nodiscard]] replay::violation_kinds::Severity severity_of(const SweepResult& result, const Finding& finding);

/// Whether this is what --fail-on calls violations of this severity; "" and other words name none.
[[nodiscard]] bool names_severity(const std::string& word, replay::violation_kinds::Severity severity);

}  // namespace dampi::scheduler
