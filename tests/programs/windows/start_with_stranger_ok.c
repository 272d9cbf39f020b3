/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Win_complete
 *   interleavings: 1
 *   outcomes: {}
 * The twin of start_with_stranger.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    static int memory[8];
    int rank, other;
    MPI_Comm two;
    MPI_Win win;
    MPI_Group world, target;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 2, rank, &two);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, two, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    other = rank == 0 ? 1 : 0;
    MPI_Group_incl(world, 1, &other, &target);
    if (rank == 0 && MPI_Win_start(target, 0, win) == MPI_SUCCESS) {
        MPI_Win_complete(win);
    }
    if (rank == 1) {
        MPI_Win_post(target, 0, win);
        MPI_Win_wait(win);
    }
    MPI_Group_free(&target);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Comm_free(&two);
    MPI_Finalize();
    return 0;
}
