// The decisions that repeat a run as it went.
#pragma once

#include "replay/decision.hpp"
#include "replay/run_record.hpp"

#include <cstdint>

namespace dampi::replay {

/// Decision::additional of what an open decision has come to. Where the run went on to answer false after those that
/// were decided, time has passed with these as with additional ones, unless some came because nobody else could go on.
[[nodiscard]] std::uint32_t additional_of(const Decision& open, const Outcome& came_to);

/// The decisions that repeat a run as it went: those that it was given (with the whole outcome where they left it, or
/// which message it is, open), and the outcome of every other epoch that came to one. (What happened in a run without
/// decisions could not be repeated otherwise.)
[[nodiscard]] Interleaving pin_outcomes(const Interleaving& given, const RunRecord& record);

}  // namespace dampi::replay
