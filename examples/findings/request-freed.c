/* dampi-run -n 2 */
#include <mpi.h>

int main(int argc, char** argv) {
    static int value;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Request request;
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
#ifdef MENDED
        MPI_Wait(&request, MPI_STATUS_IGNORE);
#else
        MPI_Request_free(&request);
#endif
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
