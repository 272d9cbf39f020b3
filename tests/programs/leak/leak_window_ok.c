/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Win_create
 *   interleavings: 1
 *   outcomes: {}
 * The window is freed. Twin: leak_window.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win win;
    MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    assert(win != MPI_WIN_NULL && rank < 2);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
