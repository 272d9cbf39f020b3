/* DAMPI-TEST
 *   np: 2
 *   expect: leak/window
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
    static double memory[8] __attribute__((aligned(64)));
    memory[0] = rank;
    MPI_Win_create(memory, sizeof memory, sizeof memory[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win); /*@*/
    assert(win != MPI_WIN_NULL && memory[0] == rank);
    MPI_Finalize();
    return 0;
}
