/* DAMPI-TEST
 *   np: 4
 *   expect: deadlock, incomplete
 *   interleavings: 1
 * Ranks 0 and 1 wait for each other while ranks 2 and 3 exchange messages for ever. Twin: partial_while_talking_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank < 2) {
        MPI_Recv(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        for (;;) {
            MPI_Sendrecv_replace(&value, 1, MPI_INT, 5 - rank, 0, 5 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
    return 0;
}
