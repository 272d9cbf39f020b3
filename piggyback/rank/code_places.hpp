// Places in the program's code: which files are mapped where, so that dampi-run can turn addresses into
// source lines, and which address in the program an MPI call comes from.
#pragma once

#include <cstdint>

namespace dampi::piggyback {

class Core;

/// Logs each executable and library of this process that was not logged before. Cheap when there is no new
/// one.
void log_modules(Core& core);

/// Finds the files of the present ones, so that it need not be done in each rank that is forked from this process.
void prepare_modules();

/// Whether the address lies in a file that log_modules() has logged, or names a place in a script or with a
/// stack.
[[nodiscard]] bool is_logged_place(std::uint64_t address) noexcept;

/// Whether the address lies in the MPI library proper, not in its bindings for other languages.
[[nodiscard]] bool is_library_place(const void* address) noexcept;

/// Whether the code that a call returns to is the MPI library's own. Also true where that cannot be known.
[[nodiscard]] bool is_mpi_code(const void* return_address) noexcept;

/// A number for a place in the program's code that is the same in every run, wherever the files are mapped.
[[nodiscard]] std::uint64_t stable_place(Core& core, std::uint64_t address);

/// The address of the call in the program, given the return address of an MPI function that is on the stack
/// (one less, so that it lies within the calling instruction). When a binding of the MPI library (Fortran's,
/// say) made the call, this is where the program called the binding. `anchor`, if not null, is the address
/// of an object in the stack frame of that MPI function, always the same one of its locals: with it the
/// answer for calls through bindings is found without walking the stack each time.
[[nodiscard]] std::uint64_t program_site(const void* return_address, const void* anchor = nullptr) noexcept;

/// The address of the innermost call in the program on this thread's stack, looking through the MPI library and the
/// layer. Walks the stack: takes some microseconds.
[[nodiscard]] std::uint64_t innermost_program_site() noexcept;

}  // namespace dampi::piggyback
