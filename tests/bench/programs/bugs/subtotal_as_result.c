/* SEEDED-BUG
 *   np: 7
 *   matches: 1
 *   place: late
 *   shows: deadlock
 * Ranks 2 to 6 work for two masters, ranks 0 and 1. At the end master 1 sends its subtotal to master 0, with the tag of
 * the last round's results: master 0 may take it for one of them, and then waits for it in vain.
 * Match: a receive of master 0's last round takes rank 1's message.
 * Interleavings: 120 for each of two rounds of each master, 207 million. */
#include "bug.h"

enum { ROUNDS = 2 };

int main(int argc, char** argv) {
    begin(&argc, &argv, 7);
    if (rank <= 1) {
        int sum = 0;
        for (int round = 0; round < ROUNDS; round++)
            for (int worker = 2; worker < size; worker++) sum += receive_number(MPI_ANY_SOURCE, round, NULL);
        if (rank == 0) {
            sum += receive_number(1, ROUNDS - 1, NULL);
        } else {
            compute(15, 0);
            send_number(sum, 0, ROUNDS - 1);
        }
    } else {
        for (int round = 0; round < ROUNDS; round++) {
            send_number(rank, 1, round);
            if (round == ROUNDS - 1) compute(0, 60);
            send_number(rank, 0, round);
        }
    }
    MPI_Finalize();
    return 0;
}
