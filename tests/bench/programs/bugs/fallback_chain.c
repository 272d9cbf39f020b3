/* SEEDED-BUG
 *   np: 6
 *   matches: 3
 *   place: early
 *   shows: crash
 * The master greets its workers. If rank 5 answers first it recovers, asking all once more; if then rank 4 is the first
 * it builds up everything anew, asking a third time; and if then rank 3 is the first, there is no table yet to look it
 * up. Matches: the first receives of the greeting, of the recovery and of the rebuilding take from the ranks 5, 4, 3.
 * Interleavings: four rounds of reports alone have 120^4 = 207 million. */
#include "bug.h"

enum { GREETING = 1, RECOVERY = 2, REBUILDING = 3, NEXT = 4 };

/* Returns who was the first. */
static int take_all(int tag) {
    int first = 0;
    for (int worker = 1; worker < size; worker++) {
        int source;
        receive_number(MPI_ANY_SOURCE, tag, &source);
        if (worker == 1) first = source;
    }
    return first;
}

static void tell_all(int what) {
    for (int worker = 1; worker < size; worker++) send_number(what, worker, NEXT);
}

static int recover(void) { return take_all(RECOVERY); }

static int rebuild(const volatile int* volatile table) {
    const int first = take_all(REBUILDING);
    return first == 3 ? table[3] : first;
}

int main(int argc, char** argv) {
    begin(&argc, &argv, 6);
    if (rank == 0) {
        if (take_all(GREETING) == 5) {
            tell_all(RECOVERY);
            if (recover() == 4) {
                tell_all(REBUILDING);
                rebuild(NULL);
            }
        }
        tell_all(0);
    } else {
        for (int what = GREETING; what != 0; what = receive_number(0, NEXT, NULL)) {
            const int slow = what == GREETING ? 5 : what == RECOVERY ? 4 : 3;
            compute(rank == slow ? 8 : 0, rank == slow ? 0 : 60);
            send_number(rank, 0, what);
        }
    }
    report_progress(4);
    MPI_Finalize();
    return 0;
}
