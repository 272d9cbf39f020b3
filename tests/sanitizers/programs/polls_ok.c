/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 * How often it is told "nothing yet" makes no difference, and that is proven: AddressSanitizer's notes of the memory
 * are no memory of the program's.
 */
#include <mpi.h>
#include <stdlib.h>

int main(void) {
    int rank, got = 0, flag = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Request request;
        MPI_Irecv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        do {
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        } while (!flag);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return EXIT_SUCCESS;
}
