/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 * The twin of lost_messages.c: rank 1 receives them all.
 */
#include <mpi.h>

enum { messages = 400 };

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; rank == 0 && i < messages; ++i) {
        MPI_Send(&i, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    }
    for (int i = 0; rank == 1 && i < messages; ++i) {
        int received;
        MPI_Recv(&received, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
