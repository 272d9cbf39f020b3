/* DAMPI-TEST
 *   np: 3
 *   expect: incomplete
 *   options: --loop-bound 1
 *   interleavings: 4
 * Two rounds in loops of their own, with the same calls in the same functions: by their call stacks these are two
 * loops, and of each the first iteration is explored. Each has 6 orders.
 */
#include "rounds.h"

static void collect(void) {
    if (rank == 0)
        for (int i = 0; i < 4; i++) take_one(MPI_COMM_WORLD);
    else
        for (int i = 0; i < 2; i++) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(void) {
    begin();
    collect();
    collect();
    MPI_Finalize();
    return 0;
}
