/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 * As matched_probe_large, but MPI_Imrecv is called before the other receive.
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
        MPI_Imrecv(words, large, MPI_INT, &message, &h);
        MPI_Recv(&word, 1, MPI_INT, 1, 1, w, MPI_STATUS_IGNORE);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Send(words, large, MPI_INT, 0, 0, w);
        MPI_Send(&word, 1, MPI_INT, 0, 1, w);
    }
    MPI_Finalize();
    return 0;
}
