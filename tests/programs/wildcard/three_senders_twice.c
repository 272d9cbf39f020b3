/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   interleavings: 90
 * Three senders with two messages each: 6! / (2! 2! 2!) = 90 orders, because the messages of one sender keep
 * theirs.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int next[4] = {0, 0, 0, 0};
        for (int i = 0; i < 6; i++) {
            int got = -1;
            MPI_Status status;
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
            assert(got == next[status.MPI_SOURCE]);
            next[status.MPI_SOURCE]++;
        }
    } else {
        for (int i = 0; i < 2; i++) MPI_Send(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
