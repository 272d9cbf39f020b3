// Errors of calls that the centralized engine answers: as MPI has them, with MPI's own sentences, handed to the handler
// that the program has set.
#pragma once

#include "piggyback/rank/call.hpp"

#include <mpi.h>

namespace dampi::piggyback::central {

/// What is wrong with a call.
enum class Wrong {
    rank,              ///< (rank, size)
    root,              ///< (root)
    truncate,          ///< (source, tag, bytes that came, bytes that there is room for)
    request,           ///< ()
    aliased_buffers,   ///< ()
    buffer_too_small,  ///< (bytes needed, bytes of the attached buffer)
    null_pointer,      ///< ()
    null_buffer,       ///< ()
    group,             ///< ()
    no_group,          ///< (): the null group
    rank_of_group,     ///< (index, rank, greatest rank)
    repeated_rank,     ///< (rank, index, index before)
    topology,          ///< (): the communicator has none of that kind
    dimensions,        ///< (): the sizes make no sense
    argument,          ///< ()
    communicator,      ///< ()
    in_status,         ///< ()
    started,           ///< (): a persistent request that is active is started
    not_persistent,    ///< ()
    group_of_others,   ///< (): a member of the group is not in the communicator
};

/// MPI's code for it.
[[nodiscard]] int code_of(const Call& call, Wrong wrong, int first = 0, int second = 0, int third = 0, int fourth = 0);

/// Of an argument of this name that is to be the same in several ranks, and differs.
[[nodiscard]] int code_of_difference(const Call& call, const char* parameter);

/// Hands an error to the handler of the communicator (MPI_COMM_NULL: to that of MPI_COMM_WORLD), and returns it. It may
/// not come back.
int deliver(const Call& call, MPI_Comm comm, int code);

/// Whether the program's handler is being called.
[[nodiscard]] bool is_delivering();

/// code_of() and deliver().
int raise(const Call& call, MPI_Comm comm, Wrong wrong, int first = 0, int second = 0, int third = 0, int fourth = 0);

/// Whether MPI would take this data; its code if not.
[[nodiscard]] int check_data(const void* buffer, MPI_Count count, MPI_Datatype type, MPI_Comm comm);

/// Whether MPI would take the operator for the datatype; its code if not.
[[nodiscard]] int check_operator(MPI_Op op, MPI_Datatype type);

}  // namespace dampi::piggyback::central
