/* DAMPI-TEST
 *   np: 3
 *   expect: crash
 *   central: refused MPI_Get
 *   interleavings: 1
 *   outcomes: {}
 *   where: abort_with_lock.c:@
 * A rank dies whose memory the others want to lock: none of them can do anything more, so nothing is left out when the
 * run is ended. Twin: abort_with_lock_ok.
 */
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>

int main(void) {
    int rank, memory = 0, got;
    MPI_Win win;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 1) abort(); /*@*/
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    MPI_Get(&got, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_unlock(1, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
