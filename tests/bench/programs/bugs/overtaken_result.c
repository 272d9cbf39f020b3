/* SEEDED-BUG
 *   np: 6
 *   matches: 1
 *   place: late
 *   shows: crash
 * Workers 1 to 4 hand their results to a relay, rank 5, and tell the master themselves that they are done. The master
 * takes both by one receive and stops when all are done: the last note may overtake the last result.
 * Match: with all else as usual, the receive that would take the last result takes rank 4's note.
 * Interleavings: four rounds of reports alone have 120^4 = 207 million. */
#include "bug.h"

enum { RESULT = 1, DONE = 2 };

int main(int argc, char** argv) {
    begin(&argc, &argv, 6);
    report_progress(4);
    if (rank == 0) {
        int done = 0, results = 0;
        while (done < 4) {
            MPI_Status status;
            int number;
            MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            if (status.MPI_TAG == DONE) done++;
            if (status.MPI_TAG == RESULT) results++;
        }
        assert(results == 4);
    } else if (rank == 5) {
        for (int worker = 1; worker <= 4; worker++) {
            const int result = receive_number(worker, RESULT, NULL);
            if (worker == 4) compute(0, 60);
            send_number(result, 0, RESULT);
        }
    } else {
        send_number(rank * rank, 5, RESULT);
        compute(rank == 4 ? 15 : 0, 0);
        send_number(rank, 0, DONE);
    }
    MPI_Finalize();
    return 0;
}
