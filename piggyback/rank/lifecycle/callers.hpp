// Who calls a hooked function of the C library: the program, or MPI, what it is built on, and the layer itself.
#pragma once

namespace dampi::piggyback {

/// Of MPI or the layer, or of a library that asks for much at its own beginning: it makes of it what may be the same in
/// all ranks, the prefix of messages, the seed of a hash, the speed of a clock.
[[nodiscard]] bool is_known(const void* caller) noexcept;

/// Of MPI, what it is built on, or the layer: what libraries of languages ask for, the program does. Quick.
[[nodiscard]] bool is_of_mpi(const void* caller) noexcept;

/// The process may be prepared for several ranks, and the program asks for what would be another thing in each.
void asks(const void* caller, const char* why) noexcept;

/// In main, before MPI_Init, for ranks that are to be forked behind that, it asks for what may be another thing in each
/// run.
void asks_in_main(const void* caller, const char* why) noexcept;

/// It asks for what a rank sees of its own process: a copy of it would see something else.
void sees(const void* caller, const char* what) noexcept;

}  // namespace dampi::piggyback
