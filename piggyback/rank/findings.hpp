// Findings that a call of the program's gives rise to.
#pragma once

#include "piggyback/rank/call.hpp"
#include "piggyback/rank/core.hpp"
#include "replay/violation_kind.hpp"

#include <string>

namespace dampi::piggyback {

/// Writes a violation of the program's, or of ours, to the log, with the place of the call.
void record_violation(Core& core, replay::ViolationKind kind, const std::string& message, const Call& call,
                      const std::string& detail = "");

}  // namespace dampi::piggyback
