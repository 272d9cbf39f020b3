/* SEEDED-BUG
 *   np: 5
 *   matches: 3
 *   place: late
 *   shows: abort
 * In each of five rounds the master notes who was the first of four workers. Who was the first is
 * given more work in the end; the table of rank 4 has room for two rounds only. Matches: in three of the rounds, any,
 * rank 4's message is taken first; the others are the first by turns if left alone.
 * Interleavings: 24^5 = 8 million. */
#include "bug.h"

enum { ROUNDS = 5, MOST = 2 };

int main(int argc, char** argv) {
    begin(&argc, &argv, 5);
    int led[5] = {0};
    for (int round = 0; round < ROUNDS; round++) {
        if (rank != 0) {
            const int leads = rank == 1 + round % 3;
            compute(leads ? 0 : rank == 4 ? 8 : 4, rank == 4 ? 0 : 30);
            send_number(rank, 0, round);
            receive_number(0, 100 + round, NULL);
            continue;
        }
        for (int i = 1; i < size; i++) {
            int source;
            receive_number(MPI_ANY_SOURCE, round, &source);
            if (i == 1 && ++led[source] > MOST && source == 4) MPI_Abort(MPI_COMM_WORLD, 17);
        }
        for (int worker = 1; worker < size; worker++) send_number(0, worker, 100 + round);
    }
    MPI_Finalize();
    return 0;
}
