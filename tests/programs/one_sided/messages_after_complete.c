/* DAMPI-TEST
 *   np: 3
 *   expect: rma/race
 *   central: refused MPI_Get
 *   interleavings: 1
 *   outcomes: {}
 * MPI_Win_complete says only that this rank's accesses are over, not that the target has them: a message that follows
 * it orders nothing within the same exposure.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, seen = -1, token = 0;
    _Alignas(16) int memory = 0;
    MPI_Win win;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Group all, target;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, (int[]){0}, &target);
    if (rank == 0) {
        MPI_Group others;
        MPI_Group_excl(all, 1, (int[]){0}, &others);
        MPI_Win_post(others, 0, win);
        MPI_Win_wait(win);
        MPI_Group_free(&others);
    } else {
        MPI_Win_start(target, 0, win);
        if (rank == 1) {
            MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
            MPI_Win_complete(win);
            MPI_Send(&token, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        } else {
            MPI_Recv(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Get(&seen, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
            MPI_Win_complete(win);
            assert(seen == 0 || seen == 1);
        }
    }
    MPI_Group_free(&target);
    MPI_Group_free(&all);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
