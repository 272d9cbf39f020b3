/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * Figure 2.4 put right: rank 0 starts with the first rank that really sends. Twin: send_recv_mismatch.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, size, mine, got[8];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    assert(size <= 8);
    mine = 10 * rank;
    if (rank != 0)
        MPI_Send(&mine, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    else
        for (int i = 1; i < size; i++) {
            MPI_Recv(&got[i], 1, MPI_INT, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            assert(got[i] == 10 * i);
        }
    MPI_Finalize();
    return 0;
}
