/* DAMPI-TEST
 *   np: 3
 *   expect: divergence
 *   options: --no-message-leaks
 *   interleavings: 2
 * From its second run on the program uses another tag: the guided run meets another operation than was decided.
 */
#include "run_number.h"

#include <mpi.h>

int main(void) {
    int rank, got;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int tag = run_number() == 1 ? 0 : 1;
    if (rank == 0)
        for (int i = 0; i < 2; i++) MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(&rank, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
