/* DAMPI-TEST
 *   np: 2
 *   options: --livelock-limit 1
 *   expect: clean
 *   interleavings: 1
 * Rank 0 asks for two things in turn, of which the first never comes. While it asks for that one it looks as if it
 * could wait for ever, which it does not.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 0, first = 0, second = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 5; ++i) {
        if (rank == 0) {
            second = 0;
            while (!first && !second) {
                MPI_Iprobe(1, 5, MPI_COMM_WORLD, &first, MPI_STATUS_IGNORE);
                if (!first) MPI_Iprobe(1, 6, MPI_COMM_WORLD, &second, MPI_STATUS_IGNORE);
            }
            MPI_Recv(&value, 1, MPI_INT, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
        } else {
            MPI_Send(&value, 1, MPI_INT, 0, 6, MPI_COMM_WORLD);
            MPI_Recv(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
    return 0;
}
