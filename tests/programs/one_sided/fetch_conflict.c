/* DAMPI-TEST
 *   np: 3
 *   expect: incomplete
 *   central: refused MPI_Fetch_and_op
 *   interleavings: 1
 *   outcomes: {}
 * Two ranks take numbers from a counter: who gets which is left to chance. Between them a barrier lies that orders
 * nothing, since the first does not wait for its access before. Twin: fetch_in_order.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, number = -1, one = 1;
    _Alignas(16) int memory = 0;
    MPI_Win win;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 1) MPI_Fetch_and_op(&one, &number, MPI_INT, 0, 0, MPI_SUM, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2) MPI_Fetch_and_op(&one, &number, MPI_INT, 0, 0, MPI_SUM, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
