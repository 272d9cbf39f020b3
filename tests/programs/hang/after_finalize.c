/* DAMPI-TEST
 *   np: 2
 *   options: --hang-limit 1
 *   expect: hang, incomplete
 *   interleavings: 1
 * Rank 0 does not end after MPI_Finalize. Twin: endless_loop_ok.
 */
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

static void wait_for_ever(void) { pause(); }

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        atexit(wait_for_ever);
    }
    MPI_Finalize();
    return 0;
}
