/* SEEDED-BUG
 *   np: 5
 *   matches: 1
 *   place: middle
 *   shows: truncation
 * The master probes for any message, makes room for it, and then receives any message of that tag instead of that one.
 * Only rank 4's in the third round is longer than the others. Match: a receive of the third round, after a
 * probe of a shorter message, takes rank 4's. MPI_Recv may do so (a probe does not reserve); MPICH takes what it has
 * probed if left alone, so the variant that shows the bug names the source.
 * Interleavings: in each of five rounds (4!)^2 = 576, in all 63 million millions. */
#include "bug.h"

enum { ROUNDS = 5, LONG_ROUND = 2 };

int main(int argc, char** argv) {
    begin(&argc, &argv, 5);
    for (int round = 0; round < ROUNDS; round++) {
        int numbers[2] = {rank, round};
        if (rank != 0) {
            compute(rank == 4 && round == LONG_ROUND ? 15 : 0, rank == 4 && round == LONG_ROUND ? 60 : 0);
            MPI_Send(numbers, rank == 4 && round == LONG_ROUND ? 2 : 1, MPI_INT, 0, round, MPI_COMM_WORLD);
            continue;
        }
        for (int i = 1; i < size; i++) {
            MPI_Status status;
            int count;
            MPI_Probe(MPI_ANY_SOURCE, round, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, MPI_INT, &count);
            int* room = malloc((size_t)count * sizeof *room);
            const int from = shows() && round == LONG_ROUND && i == 1 ? 4 : MPI_ANY_SOURCE;
            MPI_Recv(room, count, MPI_INT, from, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            free(room);
        }
    }
    MPI_Finalize();
    return 0;
}
