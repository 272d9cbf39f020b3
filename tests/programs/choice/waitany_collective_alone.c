/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 8
 *   outcomes: {1#0=0 1#1=0 1#2=0} {1#0=0 1#1=0 1#2=1} {1#0=0 1#1=1 1#2=0} {1#0=0 1#1=1 1#2=1}
 *             {1#0=1 1#1=0 1#2=0} {1#0=1 1#1=0 1#2=1} {1#0=1 1#1=1 1#2=0} {1#0=1 1#1=1 1#2=1}
 * Rank 0 enters each collective only after a message that rank 1 sends behind its MPI_Waitany, but rank 1 needs nobody:
 * so that can report either. Compare waitany_collective_needs.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, word = 0, sum = 0, both[2] = {0, 0};
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int kind = 0; kind < 3; kind++) {
        MPI_Request h[2];
        int which = MPI_UNDEFINED;
        if (rank == 0) {
            MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Recv(&word, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        if (kind == 0) MPI_Ibcast(&word, 1, MPI_INT, 1, MPI_COMM_WORLD, &h[0]);
        if (kind == 1) MPI_Igather(&rank, 1, MPI_INT, both, 1, MPI_INT, 0, MPI_COMM_WORLD, &h[0]);
        if (kind == 2) MPI_Ireduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, &h[0]);
        if (rank == 1) {
            MPI_Isend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &h[1]);
            MPI_Waitany(2, h, &which, MPI_STATUS_IGNORE);
            MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
            MPI_Wait(&h[1 - which], MPI_STATUS_IGNORE);
        } else {
            MPI_Wait(&h[0], MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
    return 0;
}
