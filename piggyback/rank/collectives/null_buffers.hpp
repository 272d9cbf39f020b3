// Collectives with a null pointer for a buffer that data goes through: MPI refuses them at once, so no rank is to be
// waited for. Where a null pointer means nothing wrong (no data, or not this rank's) they are calls like others.
#pragma once

#include "piggyback/rank/call.hpp"
#include "piggyback/rank/collectives/flow.hpp"

#include <cstddef>

#include <mpi.h>

namespace dampi::piggyback {

/// For whom counts in an array are.
enum class Peers { all, neighbours_before, neighbours_after };

/// How many they are; 0 where that is not known.
[[nodiscard]] std::size_t number_of(MPI_Comm comm, Peers peers);

/// Whether MPI refuses a null pointer for this data.
[[nodiscard]] bool is_missed(MPI_Comm comm, MPI_Count count, MPI_Datatype type);
[[nodiscard]] bool is_missed(MPI_Comm comm, Counts counts, MPI_Datatype type, Peers peers);
[[nodiscard]] bool is_missed(MPI_Comm comm, Counts counts, const MPI_Datatype* types, Peers peers);

/// Whether this rank is the root.
[[nodiscard]] bool is_root(MPI_Comm comm, int root);

/// Makes the call that MPI is going to refuse; counts it if it does not.
template <typename Native>
int make_refused(const Call& call, Native&& native) {
    const int code = native();
    if (code == MPI_SUCCESS) {
        call.not_modelled();
    }
    return code;
}

}  // namespace dampi::piggyback
