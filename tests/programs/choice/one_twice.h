/* Rank 0 takes two messages in any order, and then waits for one of two requests. With WRONG 1 and rank 2 first, one of
 * them stands in the array twice. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank, values[2] = {0}, which = 0, flag = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Status status;
        MPI_Recv(values, 0, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Recv(values, 0, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Request request, array[2];
        MPI_Irecv(&values[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
        array[0] = request;
        array[1] = WRONG && status.MPI_SOURCE == 2 ? request : MPI_REQUEST_NULL;
        if (TESTS) {
            do {
                MPI_Testany(2, array, &which, &flag, MPI_STATUS_IGNORE);
            } while (!flag);
        } else {
            MPI_Waitany(2, array, &which, MPI_STATUS_IGNORE);
        }
    } else {
        MPI_Send(values, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (rank == 1) MPI_Send(values, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
