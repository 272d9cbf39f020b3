/* SEEDED-BUG
 *   np: 5
 *   matches: 2
 *   place: early
 *   shows: deadlock
 * Rank 0 grants a lock to one of four clients at a time. At the beginning rank 1 has it and rank 2 waits. Whoever asks
 * meanwhile is put into a queue, which has room for two only: a third is dropped, and waits forever.
 * Matches: the server takes the requests of the ranks 3 and 4 before rank 1 gives the lock back.
 * Interleavings: 12 requests of four clients in any order alone have 12!/(3!)^4 = 369,600, and each client may give the
 * lock back before or after most requests of others: over a million. */
#include "bug.h"

enum { REQUEST = 1, GRANT = 2, RELEASE = 3, SECTIONS = 3, ROOM = 2 };

int main(int argc, char** argv) {
    begin(&argc, &argv, 5);
    if (rank == 0) {
        int queue[ROOM], waiting = 0, held = 1;
        receive_number(1, REQUEST, NULL);
        send_number(0, 1, GRANT);
        queue[waiting++] = receive_number(2, REQUEST, NULL);
        for (int left = 2 * SECTIONS * 4 - 2; left > 0; left--) {
            MPI_Status status;
            int client;
            MPI_Recv(&client, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            if (status.MPI_TAG == REQUEST && !held) {
                held = 1;
                send_number(0, client, GRANT);
            } else if (status.MPI_TAG == REQUEST) {
                if (waiting < ROOM) queue[waiting++] = client;
            } else if (waiting > 0) {
                send_number(0, queue[0], GRANT);
                queue[0] = queue[--waiting];
            } else {
                held = 0;
            }
        }
    } else {
        for (int section = 0; section < SECTIONS; section++) {
            if (rank >= 3) compute((section == 0 ? 12 : 4) * (rank - 2), 0);
            send_number(rank, 0, REQUEST);
            receive_number(0, GRANT, NULL);
            compute(0, 60);
            send_number(rank, 0, RELEASE);
        }
    }
    MPI_Finalize();
    return 0;
}
