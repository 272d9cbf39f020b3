/* DAMPI-TEST
 *   np: 2
 *   expect: leak/message
 *   options: --engine central --buffering 24
 * The message that nobody receives has room, so that MPI_Finalize does not wait for it; the one before it was received
 * and has left its room.
 */
#include <mpi.h>

int main(int argc, char** argv) {
    int values[5] = {0}, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(values, 5, MPI_INT, 1, 5, MPI_COMM_WORLD);
        MPI_Send(values, 5, MPI_INT, 1, 6, MPI_COMM_WORLD);
    } else {
        MPI_Recv(values, 5, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
