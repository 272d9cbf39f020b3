/* SEEDED-BUG
 *   np: 8
 *   matches: 1
 *   place: middle
 *   shows: abort
 * A reduction up a tree of processes composes linear functions. Each process takes its children's by MPI_ANY_SOURCE
 * and composes them in the order in which they come, which is wrong where they do not commute: only in the fourth of
 * seven rounds, for the children of rank 2. Match: there rank 2 takes rank 6's function first.
 * Interleavings: three processes have two children each, (2^3)^7 = 2 million. */
#include "bug.h"

enum { ROUNDS = 7, SCALING = 3 };

int main(int argc, char** argv) {
    begin(&argc, &argv, 8);
    for (int round = 0; round < ROUNDS; round++) {
        const int special = round == SCALING;
        long own[2] = {1, special ? 0 : rank}; /* factor and summand */
        if (special && rank == 5) own[0] = 2;
        if (special && rank == 6) own[1] = 10;
        const int children = rank < 3 ? 2 : rank == 3 ? 1 : 0;
        for (int i = 0; i < children; i++) {
            long child[2];
            MPI_Recv(child, 2, MPI_LONG, MPI_ANY_SOURCE, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            own[1] = own[1] * child[0] + child[1];
            own[0] = own[0] * child[0];
        }
        if (rank != 0) {
            compute(special && rank == 6 ? 15 : 0, special && rank == 5 ? 60 : 0);
            MPI_Send(own, 2, MPI_LONG, (rank - 1) / 2, round, MPI_COMM_WORLD);
        } else if (own[0] != (special ? 2 : 1) || own[1] != (special ? 10 : 28)) {
            MPI_Abort(MPI_COMM_WORLD, 7);
        }
    }
    MPI_Finalize();
    return 0;
}
