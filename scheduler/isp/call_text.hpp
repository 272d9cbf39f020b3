// How ISP names and classes a call: what its log, its lists of transitions and its order of calls have in common.
#pragma once

#include "replay/call_event.hpp"

#include <string>

namespace dampi::scheduler::isp {

/// "Isend" for MPI_Isend; the halves of MPI_Sendrecv are a "Send" and a "Recv", since readers of the log tell the two
/// by their names.
[[nodiscard]] std::string display_name(const replay::CallEvent& call);

/// Whether the rank goes on past the call only when it has come to something. `sends_block`: those of the standard and
/// ready modes do, since nothing is buffered.
[[nodiscard]] bool is_blocking(const replay::CallEvent& call, bool sends_block);

/// "a.c:12"; "unknown:-1" where the program has no source lines.
[[nodiscard]] std::string file_of(const replay::CodePlace& where);
[[nodiscard]] int line_of(const replay::CodePlace& where);

}  // namespace dampi::scheduler::isp
