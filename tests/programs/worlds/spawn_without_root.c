/* DAMPI-TEST
 *   np: 2
 *   expect: deadlock
 *   central: refused MPI_Comm_spawn
 *   interleavings: 1
 *   outcomes: {}
 *   where: spawn_without_root.c:@
 * Rank 1 waits in MPI_Comm_spawn for what its root, rank 0, has to say; but that waits for a message. Twin:
 * spawn_refused.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 0, codes[1];
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /*@*/
    }
    MPI_Comm_spawn("./nowhere", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &made, codes);
    if (rank == 1) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
