/* SEEDED-BUG
 *   np: 7
 *   matches: 3
 *   place: early
 *   shows: leak/request
 * Each of six workers sends a header and then its data. The master receives any header, then any data; data of others
 * than the header's sender go into a stash with room for two. When a third comes it asks its sender to send again,
 * without blocking, and forgets the request. Matches: three receives of data, one after the other, take those of
 * others before those of the header's sender.
 * Interleavings: (6!)^2 for headers and data, and a round of reports, 373 million. */
#include "bug.h"

enum { HEADER = 1, DATA = 2, ANSWER = 3, STASH = 2 };

int main(int argc, char** argv) {
    begin(&argc, &argv, 7);
    if (rank == 0) {
        static const int again = 1;
        int stash[STASH], stashed = 0;
        for (int i = 1; i < size; i++) {
            int wanted, found = 0;
            receive_number(MPI_ANY_SOURCE, HEADER, &wanted);
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
        compute(2 * rank, 0);
        send_number(rank, 0, HEADER);
        compute(0, rank == 1 ? 60 : 5);
        do send_number(rank, 0, DATA);
        while (receive_number(0, ANSWER, NULL) == 1);
    }
    report_progress(1);
    MPI_Finalize();
    return 0;
}
