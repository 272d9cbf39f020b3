/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   interleavings: 1
 * Ranks 2 and 3 exchange many messages, and then send what ranks 0 and 1 wait for. Twin: partial_while_talking.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank < 2) {
        MPI_Recv(&value, 1, MPI_INT, rank + 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        for (int i = 0; i < 2000; ++i) {
            MPI_Sendrecv_replace(&value, 1, MPI_INT, 5 - rank, 0, 5 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        MPI_Send(&value, 1, MPI_INT, rank - 2, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
