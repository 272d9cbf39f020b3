/* DAMPI-TEST
 *   np: 4
 *   expect: collective/mismatch
 *   interleavings: 1
 *   outcomes: {}
 *   where: mismatch_remote_root.c:@
 * In an intercommunicator one group names another root than the one that sends. Twin: mismatch_remote_root_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 0;
    MPI_Comm half, across;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 0, &across);
    if (rank < 2) {
        MPI_Bcast(&value, 1, MPI_INT, rank == 0 ? MPI_ROOT : MPI_PROC_NULL, across); /*@*/
    } else {
        MPI_Bcast(&value, 1, MPI_INT, 1, across);
    }
    MPI_Comm_free(&across);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
