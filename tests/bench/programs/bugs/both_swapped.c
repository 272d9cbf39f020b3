/* SEEDED-BUG
 *   np: 8
 *   matches: 2
 *   place: middle
 *   shows: crash
 * A reduction up a tree of processes, seven rounds. Who gets the right child's part before the left one's marks what it
 * sends on, and the root corrects the result of the fourth round, where the order matters; if two are marked it
 * corrects it once. Matches: in the fourth round rank 1 takes rank 4's part first, and rank 2 rank 6's.
 * Interleavings: three processes have two children each, (2^3)^7 = 2 million. */
#include "bug.h"

enum { ROUNDS = 7, ORDERED = 3 };

int main(int argc, char** argv) {
    begin(&argc, &argv, 8);
    for (int round = 0; round < ROUNDS; round++) {
        const int ordered = round == ORDERED;
        const int children = rank < 3 ? 2 : rank == 3 ? 1 : 0;
        int marks = 0, corrected = 0;
        for (int i = 0; i < children; i++) {
            int source;
            marks += receive_number(MPI_ANY_SOURCE, round, &source);
            if (ordered && rank > 0 && i == 0 && source == 2 * rank + 2) marks++;
        }
        if (rank == 0) {
            if (marks > 0) corrected = 1;
            assert(corrected == marks);
        } else {
            compute(ordered && rank % 2 == 0 ? 12 : 0, ordered && rank % 2 == 1 && rank > 2 ? 40 : 0);
            send_number(marks, (rank - 1) / 2, round);
        }
    }
    MPI_Finalize();
    return 0;
}
