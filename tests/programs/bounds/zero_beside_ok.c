/* DAMPI-TEST
 *   np: 4
 *   options: --buffering both --max-interleavings 3
 *   expect: incomplete
 *   interleavings: 3
 * The twin of zero_beside: each rank sends and receives at once. There are more
 * interleavings natively than the bound allows; a few runs look at waiting sends all the same.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 0, other, i;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (i = 0; i < 3; i++) {
        if (rank == 0)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else if (rank == i + 1)
            MPI_Ssend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % 4, 1, &other, 1, MPI_INT, (rank + 3) % 4, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
