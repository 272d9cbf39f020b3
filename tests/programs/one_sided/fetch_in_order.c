/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Compare_and_swap
 *   interleavings: 1
 *   outcomes: {}
 * As fetch_conflict, but the first waits for its access before the barrier; and each kind of access from one rank only.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, number = -1, one = 1, two = 2, swapped = -1, got = -1;
    _Alignas(16) int memory = 0;
    MPI_Win win;
    MPI_Request request;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 1) {
        MPI_Fetch_and_op(&one, &number, MPI_INT, 0, 0, MPI_SUM, win);
        MPI_Win_flush(0, win);
        assert(number == 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2) {
        MPI_Fetch_and_op(&one, &number, MPI_INT, 0, 0, MPI_SUM, win);
        MPI_Win_flush(0, win);
        assert(number == 1);
        MPI_Compare_and_swap(&one, &two, &swapped, MPI_INT, 0, 0, win);
        MPI_Win_flush(0, win);
        assert(swapped == 2);
        MPI_Rget_accumulate(&one, 1, MPI_INT, &got, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        assert(got == 1);
        MPI_Raccumulate(&two, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Get_accumulate(NULL, 0, MPI_INT, &got, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_NO_OP, win);
        MPI_Win_flush(0, win);
        assert(got == 3);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
