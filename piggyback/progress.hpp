// Drives the MPI library's progress while a rank waits for something that is not a request.
#pragma once

#include <mpi.h>

namespace dampi::piggyback {

inline void make_progress() {
    int flag = 0;
    // On MPI_COMM_SELF it would look at the local queue only.
    PMPI_Iprobe(0, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

}  // namespace dampi::piggyback
