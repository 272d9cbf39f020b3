// Ranks whose program loads MPI at run time, or is started by another one: an interpreter with a module that uses MPI,
// a script that executes an MPI program. Which process of the rank that is shows at its first call of MPI. Until then
// nothing is written for the rank, no process sees the variables that brought the layer in, and programs that are
// executed get them again.
#pragma once

namespace dampi::piggyback {

/// Whether this process may become such a rank. If so the variables are kept for later and removed from the
/// environment. `arguments` are the program's: it may be executed again, with what its MPI library needs.
bool begin_late_start(char** arguments) noexcept;

/// At a call of MPI in a process without a rank: takes the rank by `attach` (lifecycle/attach.hpp) if it may. Whether
/// it has.
bool end_late_start(bool (*attach)(const char* path)) noexcept;

}  // namespace dampi::piggyback
