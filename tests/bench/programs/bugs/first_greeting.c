/* SEEDED-BUG
 *   np: 5
 *   matches: 1
 *   place: early
 *   shows: crash
 * The master takes the version that the first greeting names for that of all. Rank 4 greets before it knows its
 * version, but late, as it starts slowly. Match: rank 0's first receive takes rank 4's greeting.
 * Interleavings: the four greetings and five rounds of reports in any order, 24^6 = 191 million. */
#include "bug.h"

int main(int argc, char** argv) {
    begin(&argc, &argv, 5);
    if (rank == 0) {
        volatile int version = -1;
        for (int i = 1; i < size; i++) {
            const int greeting = receive_number(MPI_ANY_SOURCE, 1, NULL);
            if (version == -1) version = greeting;
        }
        const volatile int share = 1000 / version;
        (void)share;
    } else {
        compute(rank == 4 ? 15 : 0, rank == 4 ? 0 : 60);
        send_number(rank == 4 ? 0 : 3, 0, 1);
    }
    report_progress(5);
    MPI_Finalize();
    return 0;
}
