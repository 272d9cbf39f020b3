/* SEEDED-BUG
 *   np: 7
 *   matches: 3
 *   place: middle
 *   shows: crash
 * A master hands out 11 blocks to six workers, each the next for its result. Results of rank 6, which are the largest,
 * lie in two buffers that are emptied when somebody else delivers. Matches: three receives one after the other take
 * rank 6's results; usually all workers deliver in turns, rank 6 late.
 * Interleavings: 6^6 * 5! = 5.6 million. */
#include "bug.h"

enum { BLOCKS = 11, BLOCK = 1, RESULT = 2, STOP = 3 };

int main(int argc, char** argv) {
    begin(&argc, &argv, 7);
    if (rank == 0) {
        int next = 0, last = 0, in_a_row = 0;
        for (int worker = 1; worker < size; worker++) send_number(next++, worker, BLOCK);
        for (int done = 0; done < BLOCKS; done++) {
            int worker;
            receive_number(MPI_ANY_SOURCE, RESULT, &worker);
            in_a_row = worker == last ? in_a_row + 1 : 1;
            last = worker;
            assert(worker != 6 || in_a_row <= 2);
            if (next < BLOCKS) send_number(next++, worker, BLOCK);
        }
        for (int worker = 1; worker < size; worker++) send_number(0, worker, STOP);
    } else {
        for (;;) {
            MPI_Status status;
            int block;
            MPI_Recv(&block, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            if (status.MPI_TAG == STOP) break;
            compute(4 + (rank == 6 ? 4 : 0), rank == 6 ? 0 : 60);
            send_number(block, 0, RESULT);
        }
    }
    MPI_Finalize();
    return 0;
}
