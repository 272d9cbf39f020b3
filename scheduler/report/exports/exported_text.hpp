// Text of the program's in the formats that other systems read, which take valid UTF-8 only.
#pragma once

#include "replay/violation.hpp"
#include "scheduler/sweep/sweep_result.hpp"

#include <string>
#include <string_view>

namespace dampi::scheduler {

/// Bytes that are not UTF-8, and what XML has no characters for, become U+FFFD. Newlines and tabs stay.
[[nodiscard]] std::string valid_text(std::string_view text);

/// What a finding is called, without ranks and numbers of lines, so that it keeps its name from sweep to sweep:
/// "deadlock: MPI_Recv in main (app.c), MPI_Barrier in finish (end.c)".
[[nodiscard]] std::string finding_name(const Finding& finding);

/// The place that stands for a finding: the first situation's with a line, the first one otherwise; null where there is
/// none.
[[nodiscard]] const replay::CodePlace* finding_place(const Finding& finding);

}  // namespace dampi::scheduler
