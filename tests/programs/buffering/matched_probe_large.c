/* DAMPI-TEST
 *   np: 2
 *   expect: deadlock
 *   interleavings: 1
 * A large message that waits for its receive has been taken by MPI_Improbe: its send completes only when MPI_Imrecv is
 * called, which comes behind the receive of a message that is sent behind it.
 */
#include <mpi.h>
#include <stddef.h>

enum { large = 1 << 20 };
static int words[large];

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const MPI_Comm w = MPI_COMM_WORLD;
    int word = 0;
    MPI_Message message;
    MPI_Request h;
    if (rank == 0) {
        for (int flag = 0; !flag;) MPI_Improbe(1, 0, w, &flag, &message, MPI_STATUS_IGNORE);
        MPI_Recv(&word, 1, MPI_INT, 1, 1, w, MPI_STATUS_IGNORE);
        MPI_Imrecv(words, large, MPI_INT, &message, &h);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Send(words, large, MPI_INT, 0, 0, w);
        MPI_Send(&word, 1, MPI_INT, 0, 1, w);
    }
    MPI_Finalize();
    return 0;
}
