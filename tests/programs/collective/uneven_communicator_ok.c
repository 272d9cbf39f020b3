/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * Each half makes as many collectives as it likes. Twin: uneven_communicator.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 1;
    MPI_Comm odd_even;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &odd_even);
    if (rank % 2 == 1) MPI_Bcast(&value, 1, MPI_INT, 0, odd_even);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_free(&odd_even);
    MPI_Finalize();
    return 0;
}
