/* DAMPI-TEST
 *   np: 3
 *   expect: imprecise-match
 *   interleavings: 2
 * Rank 2 sends when rank 0 has received from rank 1, which it learns by other means than MPI. That its message comes
 * first is not possible, but nobody can know: the run for it ends by itself, with a doubt and no violation.
 */
#define _GNU_SOURCE
#include "ordered_outside.h"

int main(void) {
    int rank, got;
    MPI_Status status;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    volatile int* first_is_here = shared_word();
    if (rank == 0) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        if (status.MPI_SOURCE == 2) MPI_Abort(MPI_COMM_WORLD, 1);
        *first_is_here = 1;
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    } else {
        while (rank == 2 && !*first_is_here) usleep(1000);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
