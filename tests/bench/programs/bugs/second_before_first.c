/* SEEDED-BUG
 *   np: 6
 *   matches: 2
 *   place: early
 *   shows: crash
 * A master hands out 12 blocks to five workers, each the next for its result. What rank 5 delivers goes on where rank
 * 1's first block ends, so the master keeps it until that is there; it has room for one result only.
 * Matches: rank 0's first and second receive both take rank 5's results, before rank 1's first.
 * Interleavings: 5^8 * 4! = 9 million. */
#include "bug.h"

enum { BLOCKS = 12, BLOCK = 1, RESULT = 2, STOP = 3 };

int main(int argc, char** argv) {
    begin(&argc, &argv, 6);
    if (rank == 0) {
        int next = 0, kept = 0, first_is_there = 0;
        for (int worker = 1; worker < size; worker++) send_number(next++, worker, BLOCK);
        for (int done = 0; done < BLOCKS; done++) {
            int worker;
            receive_number(MPI_ANY_SOURCE, RESULT, &worker);
            if (worker == 1) first_is_there = 1, kept = 0;
            if (worker == 5 && !first_is_there) assert(++kept <= 1);
            if (next < BLOCKS) send_number(next++, worker, BLOCK);
        }
        for (int worker = 1; worker < size; worker++) send_number(0, worker, STOP);
    } else {
        for (;;) {
            MPI_Status status;
            int block;
            MPI_Recv(&block, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            if (status.MPI_TAG == STOP) break;
            compute(rank == 5 ? 6 : 0, rank == 5 ? 0 : 60);
            send_number(block, 0, RESULT);
        }
    }
    MPI_Finalize();
    return 0;
}
