/* SEEDED-BUG
 *   np: 7
 *   matches: 3
 *   place: early
 *   shows: leak/request
 * The master takes data from six workers by any receive, but works on them in the order of the ranks; what comes too
 * early goes into a stash with room for two. When a third comes it asks its sender to send again, without blocking, and
 * forgets the request. Matches: three receives of data, one after the other, take those of later ranks before those
 * of the rank whose turn it is; usually the workers send in turns.
 * Interleavings: 6! for the data, and two rounds of reports, 373 million. */
#include "bug.h"

enum { DATA = 1, ANSWER = 2, STASH = 2 };

int main(int argc, char** argv) {
    begin(&argc, &argv, 7);
    if (rank == 0) {
        static const int again = 1;
        int stash[STASH], stashed = 0;
        for (int wanted = 1; wanted < size; wanted++) {
            int found = 0;
            for (int s = 0; s < stashed && !found; s++)
                if (stash[s] == wanted) found = 1, stash[s] = stash[--stashed];
            while (!found) {
                int source;
                receive_number(MPI_ANY_SOURCE, DATA, &source);
                if (source == wanted) {
                    found = 1;
                } else if (stashed < STASH) {
                    stash[stashed++] = source;
                } else {
                    MPI_Request request;
                    MPI_Isend(&again, 1, MPI_INT, source, ANSWER, MPI_COMM_WORLD, &request);
                }
            }
            send_number(0, wanted, ANSWER);
        }
    } else {
        compute(3 * rank, rank == 1 ? 60 : 0);
        do send_number(rank, 0, DATA);
        while (receive_number(0, ANSWER, NULL) == 1);
    }
    report_progress(2);
    MPI_Finalize();
    return 0;
}
