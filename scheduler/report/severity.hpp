// How severe a finding is: as its kind is, except where it is an error that this MPI library does not let happen.
#pragma once

#include "replay/violation_kind.hpp"
#include "scheduler/sweep/sweep_result.hpp"

#include <string>

namespace dampi::scheduler {

/// Whether no run with this buffering is known in which ranks ended before their time, or were stuck: what such a run
/// would have come to later it does not tell.
[[nodiscard]] bool all_came_to_end(const SweepResult& result, replay::Buffering mode);

/// Whether no rank of this deadlock's cycle waits in a send: if it is there only without buffers, then since ranks wait
/// in collectives for others that they need nothing of. That is up to the MPI library from call to call, so a program
/// must not rely on it (MPI-4.0, 6.14), and the library that is used now may let them wait, too.
[[nodiscard]] bool waits_in_no_send(const replay::Violation& violation);

/// Where everything was explored, and not only what Lamport clocks can see, a violation that is seen only if standard
/// sends wait for their receives, and not with the buffering of the library, whose runs all came to their end, is one
/// of portability, unless it needs no sends. In doubt it is as severe as its kind.
[[nodiscard]] replay::violation_kinds::Severity severity_of(const SweepResult& result, const Finding& finding);

/// Whether it is not by its kind that it is one of portability.
[[nodiscard]] bool is_portability_by_sweep(const SweepResult& result, const Finding& finding);

/// Of a replay: whether this is what its file reproduces, which the sweep before has found to be one of portability:
/// the run has gone as the file says, and shows one violation of that kind.
[[nodiscard]] bool is_portability_as_known(const SweepResult& result, const Finding& finding);

/// Whether this is what --fail-on calls violations of this severity; "" and other words name none.
[[nodiscard]] bool names_severity(const std::string& word, replay::violation_kinds::Severity severity);

}  // namespace dampi::scheduler
