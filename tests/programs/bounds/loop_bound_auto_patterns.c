/* DAMPI-TEST
 *   np: 3
 *   expect: incomplete
 *   options: --loop-bound auto
 *   interleavings: 4
 * In the fourth of five rounds rank 0 answers the sender of the first message: another pattern, so this round is
 * explored as well, whoever is answered.
 */
#include "rounds.h"

int main(void) {
    begin();
    for (int round = 0; round < 5; round++) {
        if (rank == 0) {
            for (int i = 0; i < 2; i++) {
                MPI_Status status;
                int got;
                MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
                if (round == 3) MPI_Send(&got, 1, MPI_INT, status.MPI_SOURCE, 1, MPI_COMM_WORLD);
            }
        } else {
            int answer;
            MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
            if (round == 3) MPI_Recv(&answer, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
