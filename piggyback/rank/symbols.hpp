// By which names the MPI functions are called, and who is behind each. The layer is innermost: directly around the MPI
// library, inside every other tool that uses MPI's profiling interface.
//
//   MPI_X     what the program calls. Where another tool that was linked into the program defines MPI_X, it goes there
//             (the linker would have given the tool precedence); else to the layer's wrapper. A tool that is
//             preloaded before the layer, or is part of the executable, comes before this anyway.
//   PMPI_X    what such tools call, and many procedures of MPICH's Fortran 2008 bindings: the wrapper. The calls that
//             the MPI library makes itself by that name go on to the MPI library.
//
// Since the dynamic linker looks names up here before it comes to the MPI library, that holds for every module,
// whenever it is loaded. Calls of PMPI_X in the layer itself go to the MPI library: the shared library is linked with
// --wrap. What a program finds with dlsym is corrected likewise. The jumps are generated assembler (entries.cpp); they
// keep the return address, which is the place of the call in the program.
//
// In the archive, for programs into which MPI is linked statically, the linker settles all this; there are no jumps,
// and a program with another tool in it is refused by the linker (multiple definition of MPI_X).
#pragma once

#include <cstdint>

namespace dampi::piggyback {

/// Finds out who is behind each name. Done at the first call in any case; before it a process can do it for those that
/// are forked from it. Ends the process with a sentence if there is no MPI library. Safe to call again and from any
/// thread.
void find_mpi_functions() noexcept;

/// Has the next call of a native function, whoever makes it, call `what` first, once; natives that `what` calls are
/// called as ever. For what the layer has put off and MPI must have done before anybody can ask. To be called when
/// there is nothing put off.
void before_next_native_call(void (*what)()) noexcept;

/// For a layer that has just been created: counts as not modelled that libraries were loaded in a way in which their
/// calls of MPI may not be seen. Later ones are counted when they are loaded.
void count_what_is_not_seen() noexcept;

/// Whether the module that is mapped from `low` on is another tool's: it defines an MPI_ function and is neither the
/// executable nor of the MPI library. For the layer its code is as that of the MPI library: not the program's. Known
/// after find_mpi_functions().
[[nodiscard]] bool is_other_tool(std::uint64_t low) noexcept;

}  // namespace dampi::piggyback
