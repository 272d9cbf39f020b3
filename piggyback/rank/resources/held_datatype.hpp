// A datatype as an argument of a call.
#pragma once

#include "piggyback/rank/layer.hpp"

#include <cstdint>

#include <mpi.h>

namespace dampi::piggyback {

/// MPI_DATATYPE_NULL for a datatype that the program has freed and not got again, whatever MPI still has in its place:
/// MPI refuses that by itself where the argument counts. Any other handle is returned as it is.
[[nodiscard]] inline MPI_Datatype held_datatype(MPI_Datatype handle) noexcept {
    // The two highest bits of a handle of MPICH's: 1 is what MPI has predefined.
    const bool predefined = static_cast<unsigned>(handle) >> 30 == 1;
    return !predefined &&
                   Layer::current()->resources.is_stale(ResourceKind::datatype, static_cast<std::uint32_t>(handle))
               ? MPI_DATATYPE_NULL
               : handle;
}

}  // namespace dampi::piggyback
