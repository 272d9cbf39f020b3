/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 * Both halves have the same tag.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, got = -1;
    MPI_Request h;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Isendrecv(&rank, 1, MPI_INT, 1 - rank, 0, &got, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &h);
    MPI_Wait(&h, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
