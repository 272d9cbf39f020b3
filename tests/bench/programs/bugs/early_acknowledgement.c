/* SEEDED-BUG
 *   np: 6
 *   matches: 1
 *   place: middle
 *   shows: leak/request
 * A loop over MPI_Waitany takes a piece from each worker in each of four rounds. In the second one rank 5 has the piece
 * with the checkpoint and waits for an acknowledgement; if its piece is the first, the acknowledgement is sent without
 * blocking, to go on at once, and its request is forgotten. Match: the first MPI_Waitany of the second round
 * reports rank 5's request.
 * Interleavings: 120 orders of completion in each of four rounds, 207 million. */
#include "bug.h"

enum { PIECE = 1, KEPT = 2, ROUNDS = 4, CHECKPOINT = 1 };

int main(int argc, char** argv) {
    begin(&argc, &argv, 6);
    for (int round = 0; round < ROUNDS; round++) {
        if (rank != 0) {
            compute(rank == 5 && round == CHECKPOINT ? 15 : 0, rank != 5 && round == CHECKPOINT ? 60 : 0);
            send_number(round, 0, PIECE);
            if (rank == 5 && round == CHECKPOINT) receive_number(0, KEPT, NULL);
            continue;
        }
        int pieces[5], kept = 1;
        MPI_Request requests[5];
        for (int worker = 1; worker <= 5; worker++)
            MPI_Irecv(&pieces[worker - 1], 1, MPI_INT, worker, PIECE, MPI_COMM_WORLD, &requests[worker - 1]);
        for (int taken = 0; taken < 5; taken++) {
            int which;
            MPI_Waitany(5, requests, &which, MPI_STATUS_IGNORE);
            if (which != 4 || round != CHECKPOINT) continue;
            if (taken == 0) {
                MPI_Request acknowledgement;
                MPI_Isend(&kept, 1, MPI_INT, 5, KEPT, MPI_COMM_WORLD, &acknowledgement);
            } else {
                MPI_Send(&kept, 1, MPI_INT, 5, KEPT, MPI_COMM_WORLD);
            }
        }
    }
    MPI_Finalize();
    return 0;
}
