/* DAMPI-TEST
 *   np: 2
 *   expect: leak/message
 *   where: lost_messages.c:@
 *   interleavings: 1
 * So many messages that nobody receives that MPICH by itself stays in MPI_Finalize. The run ends, and says who sent
 * them.
 */
#include <mpi.h>

enum { messages = 400 };

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; rank == 0 && i < messages; ++i) {
        MPI_Send(&i, 1, MPI_INT, 1, 1, MPI_COMM_WORLD); /*@*/
    }
    MPI_Finalize();
    return 0;
}
