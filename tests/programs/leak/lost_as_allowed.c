/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   notes: leak/message
 *   interleavings: 1
 *   options: --no-message-leaks
 * With --no-message-leaks a message that nobody receives is only a note.
 */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(&rank, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
