/* DAMPI-TEST
 *   np: 4
 *   expect: deadlock, incomplete
 *   interleavings: 1
 * Both ranks of a communicator receive from any source in it while the others compute for ever: nobody who runs could
 * send. Twin: partial_wildcard_in_group_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 0;
    MPI_Comm half;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    if (rank < 2) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, half, MPI_STATUS_IGNORE);
    } else {
        for (volatile long i = 0;; ++i) {}
    }
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
