// What the statuses of MPI's say that its functions would be asked for.
#pragma once

#include <mpi.h>

namespace dampi::piggyback {

/// MPI_Test_cancelled, without a call: MPICH's binary interface says where it stands.
[[nodiscard]] inline bool was_cancelled(const MPI_Status& status) { return (status.count_hi_and_cancelled & 1) != 0; }

}  // namespace dampi::piggyback
