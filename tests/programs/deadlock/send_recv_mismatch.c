/* DAMPI-TEST
 *   np: 3
 *   expect: deadlock
 *   interleavings: 1
 *   outcomes: {}
 *   where: send_recv_mismatch.c:@
 * Figure 2.4: rank 0 also waits for a message from itself, which nobody sends. Twin: send_recv_mismatch_ok.
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
        for (int i = 0; i < size; i++) MPI_Recv(&got[i], 1, MPI_INT, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /*@*/
    MPI_Finalize();
    return 0;
}
