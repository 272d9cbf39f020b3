// How many MPI calls the calling thread is inside of: more than one when the library calls MPI_ names itself.
#pragma once

namespace dampi::piggyback {

/// Only Call changes it.
extern __thread int call_depth __attribute__((tls_model("initial-exec")));

/// Whether the calling thread is in a function of the MPI library's: what it does there is the library's.
[[nodiscard]] inline bool inside_mpi() noexcept { return call_depth != 0; }

/// Whether it is in one that another MPI function has called.
[[nodiscard]] inline bool inside_nested_mpi() noexcept { return call_depth > 1; }

}  // namespace dampi::piggyback
