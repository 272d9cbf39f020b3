// The decisions that repeat a run as it went.
#pragma once

#include "replay/decision.hpp"
#include "replay/run_record.hpp"

namespace dampi::replay {

/// The decisions that repeat a run as it went: those that it was given (with the whole outcome where they left it, or
/// which message it is, open), and the outcome of every other epoch that came to one. (What happened in a run without
/// decisions could not be repeated otherwise.)
[[nodiscard]] Interleaving pin_outcomes(const Interleaving& given, const RunRecord& record);

}  // namespace dampi::replay
