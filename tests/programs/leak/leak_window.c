/* DAMPI-TEST
 *   np: 2
 *   expect: leak/window
 *   central: refused MPI_Win_create
 *   interleavings: 1
 *   outcomes: {}
 *   where: leak_window.c:@
 * A window that nobody frees. Twin: leak_window_ok.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win win;
    /* without memory: some libraries crash in MPI_Finalize when memory is still registered */
    MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win); /*@*/
    assert(win != MPI_WIN_NULL && rank < 2);
    MPI_Finalize();
    return 0;
}
