/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   options: --buffering native
 * Twin of message_one_order: each receive has a tag of its own.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    union {
        int number[2];
        float real[2];
    } data = {{1, 1}};
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&data, 2, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&data, 2, MPI_FLOAT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Send(&data, 8, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
    } else {
        MPI_Send(&data, 2, MPI_FLOAT, 0, 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
