/* SEEDED-BUG
 *   np: 7
 *   matches: 2
 *   place: late
 *   shows: exit
 * Workers 1 to 4 hand their results to relays, ranks 5 and 6, and tell the master themselves that they are done. When
 * all are done the master knows that one result may be missing, and takes it; it does not expect two.
 * Matches: the notes of the ranks 3 and 4 are both taken before the last two results.
 * Interleavings: three rounds of reports alone have 720^3 = 373 million. */
#include "bug.h"

enum { RESULT = 1, DONE = 2 };

int main(int argc, char** argv) {
    begin(&argc, &argv, 7);
    report_progress(3);
    int wrong = 0;
    if (rank == 0) {
        int done = 0, results = 0;
        while (done < 4) {
            MPI_Status status;
            int number;
            MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            if (status.MPI_TAG == DONE) done++;
            if (status.MPI_TAG == RESULT) results++;
        }
        if (results == 3) results++, receive_number(MPI_ANY_SOURCE, RESULT, NULL);
        wrong = results != 4;
    } else if (rank >= 5) {
        for (int i = 0; i < 2; i++) {
            const int result = receive_number(2 * (rank - 5) + 1 + i, RESULT, NULL);
            if (rank == 6) compute(0, 60);
            send_number(result, 0, RESULT);
        }
    } else {
        send_number(rank * rank, 5 + (rank - 1) / 2, RESULT);
        compute(rank >= 3 ? 15 * (rank - 2) : 0, 0);
        send_number(rank, 0, DONE);
    }
    MPI_Finalize();
    return wrong;
}
