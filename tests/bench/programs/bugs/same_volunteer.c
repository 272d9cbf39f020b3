/* SEEDED-BUG
 *   np: 7
 *   matches: 2
 *   place: middle
 *   shows: deadlock
 * Ranks 2 to 6 volunteer to two masters, ranks 0 and 1, in each of four rounds; each master takes the first. Who is
 * taken by both serves master 0 and sends its successor to master 1: the last one has none, and master 1 waits.
 * Matches: in one round both masters receive from rank 6 first. It takes longest.
 * Interleavings: 120 for each master and round, 120^8. */
#include "bug.h"

enum { ROUNDS = 4, VOLUNTEER = 1, TAKEN = 100, SERVE = 200, MASTERS = 2 };

int main(int argc, char** argv) {
    begin(&argc, &argv, 7);
    for (int round = 0; round < ROUNDS; round++) {
        if (rank < MASTERS) {
            int first = -1;
            for (int worker = MASTERS; worker < size; worker++) {
                int source;
                receive_number(MPI_ANY_SOURCE, VOLUNTEER + round, &source);
                if (first == -1) first = source;
            }
            for (int worker = MASTERS; worker < size; worker++) send_number(first, worker, TAKEN + round);
            /* Whoever comes: one serves each master. */
            receive_number(MPI_ANY_SOURCE, SERVE + round, NULL);
        } else {
            compute(rank == 6 ? 4 : 0, rank == 6 ? 0 : 40);
            for (int master = 0; master < MASTERS; master++) send_number(rank, master, VOLUNTEER + round);
            const int first = receive_number(0, TAKEN + round, NULL);
            const int second = receive_number(1, TAKEN + round, NULL);
            if (rank == first) send_number(rank, 0, SERVE + round);
            if (rank == (first == second ? second + 1 : second)) send_number(rank, 1, SERVE + round);
        }
    }
    MPI_Finalize();
    return 0;
}
