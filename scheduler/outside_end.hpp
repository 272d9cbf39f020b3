// How reports name signals, and which ends of ranks may be somebody else's doing: whoever ends all processes of a task,
// such as a cluster's scheduler, ends the ranks with the same signals.
#pragma once

#include "replay/run_record.hpp"

#include <string>

namespace dampi::scheduler {

/// "SIGTERM (Terminated)".
[[nodiscard]] std::string signal_text(int signal);

/// Whether a signal commonly comes from outside.
[[nodiscard]] bool may_come_from_outside(int signal);

/// Whether a rank was ended by a signal that commonly comes from outside.
[[nodiscard]] bool may_be_ended_from_outside(const replay::RunRecord& record);

}  // namespace dampi::scheduler
