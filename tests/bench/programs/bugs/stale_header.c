/* SEEDED-BUG
 *   np: 7
 *   matches: 2
 *   place: middle
 *   shows: abort
 * A pipeline of two stages that both receive from anybody: rank 4 joins the items of the ranks 1 to 3, rank 5 joins
 * that with the items of rank 6 and hands it to rank 0. If rank 3's item was the first of the third round, the joined
 * one has a header of its own, which rank 5 does not read if rank 6's item came first. Matches: rank 4 takes rank 3's
 * item first in the third round, and rank 5 rank 6's. Interleavings: 3! * 2 in each of six rounds, 3 million. */
#include "bug.h"

enum { ROUNDS = 6, WITH_HEADER = 2 };

int main(int argc, char** argv) {
    begin(&argc, &argv, 7);
    for (int round = 0; round < ROUNDS; round++) {
        const int special = round == WITH_HEADER;
        int source, first;
        if (rank >= 1 && rank <= 3) {
            compute(special && rank == 3 ? 12 : 0, special && rank != 3 ? 40 : 0);
            send_number(rank, 4, round);
        } else if (rank == 4) {
            int header = 0;
            for (int i = 0; i < 3; i++) {
                receive_number(MPI_ANY_SOURCE, round, &source);
                if (i == 0 && source == 3 && special) header = 1;
            }
            send_number(header, 5, round);
        } else if (rank == 6) {
            compute(special ? 20 : 0, 0);
            send_number(0, 5, round);
        } else if (rank == 5) {
            int headers = receive_number(MPI_ANY_SOURCE, round, &first);
            if (first == 6 && receive_number(MPI_ANY_SOURCE, round, NULL) != headers) MPI_Abort(MPI_COMM_WORLD, 10);
            if (first != 6) receive_number(MPI_ANY_SOURCE, round, NULL);
            send_number(headers, 0, round);
        } else {
            receive_number(5, round, NULL);
        }
    }
    MPI_Finalize();
    return 0;
}
