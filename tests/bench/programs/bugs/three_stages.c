/* SEEDED-BUG
 *   np: 8
 *   matches: 3
 *   place: late
 *   shows: deadlock
 * A pipeline of three stages, ranks 5 to 7, behind rank 1; each stage also takes an item of its side, ranks 2 to 4, and
 * receives from anybody. A stage that gets the item of the stage before first gives rank 0 a credit. In the last of
 * seven rounds rank 0 waits for at least one credit. Matches: in the last round all three stages take the item
 * of their side first.
 * Interleavings: (2^3)^7 = 2 million. */
#include "bug.h"

enum { ROUNDS = 7, CREDIT = 100, END = 200 };

int main(int argc, char** argv) {
    begin(&argc, &argv, 8);
    for (int round = 0; round < ROUNDS; round++) {
        const int last = round == ROUNDS - 1;
        if (rank == 1) {
            compute(0, last ? 60 : 0);
            send_number(0, 5, round);
        } else if (rank >= 2 && rank <= 4) {
            compute(last ? 15 : 0, 0);
            send_number(1, rank + 3, round);
        } else if (rank >= 5) {
            int credits = 0, first = 0;
            for (int i = 0; i < 2; i++) {
                int source;
                receive_number(MPI_ANY_SOURCE, round, &source);
                if (i == 0) first = source;
            }
            if (first != rank - 3) credits = 1;
            if (rank < 7) send_number(0, rank + 1, round);
            if (last) send_number(credits, 0, CREDIT);
            if (rank == 7) send_number(0, 0, END + round);
        } else {
            receive_number(7, END + round, NULL);
            if (!last) continue;
            int credits = 0;
            for (int stage = 5; stage <= 7; stage++) credits += receive_number(stage, CREDIT, NULL);
            while (credits == 0) credits += receive_number(MPI_ANY_SOURCE, CREDIT, NULL);
        }
    }
    MPI_Finalize();
    return 0;
}
