/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 * Two messages are asked for in a loop over what is not done, with what the last round has found in a variable of the
 * loop's. The rounds that come to nothing are alike from the second on. Both messages have been sent when it begins, so
 * that the rounds which are run are the same each time.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, values[2] = {0, 0}, done[2] = {0, 0};
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Request requests[2];
        for (int i = 0; i < 2; ++i) {
            MPI_Irecv(&values[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &requests[i]);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        for (;;) {
            int open = 0;
            for (int i = 0; i < 2; ++i) {
                if (!done[i]) MPI_Test(&requests[i], &done[i], MPI_STATUS_IGNORE);
                open += !done[i];
            }
            if (open == 0) break;
        }
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
