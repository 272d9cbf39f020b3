/* DAMPI-TEST
 *   np: 4
 *   expect: divergence
 *   options: --no-message-leaks --order dfs
 *   interleavings: 6
 * Only the second run differs. The others are explored as if nothing had been.
 */
#include "run_number.h"

#include <mpi.h>

int main(void) {
    int rank, got;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int tag = run_number() == 2 ? 1 : 0;
    if (rank == 0)
        for (int i = 0; i < 3; i++) MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(&rank, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
