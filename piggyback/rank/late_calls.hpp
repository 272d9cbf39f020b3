// Calls of the program's after the end of MPI, which the MPI library may end the rank for.
#pragma once

namespace dampi::piggyback {

class Call;

/// Looks at such a call before it is made.
using LookAtLateCall = void(const Call& call) noexcept;
/// Null: nobody does.
extern LookAtLateCall* look_at_late_call;

}  // namespace dampi::piggyback
