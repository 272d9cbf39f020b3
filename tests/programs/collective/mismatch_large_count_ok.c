/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * The correct twin of mismatch_large_count: the same amount, of other elements.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, values[2] = {0, 0};
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Bcast_c(values, 2 * sizeof(int), MPI_BYTE, 0, MPI_COMM_WORLD);
    } else {
        MPI_Bcast(values, 2, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
