/* dampi-run -n 2 */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank;
    MPI_Request request;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_SELF, &request);
#ifdef MENDED
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    MPI_Finalize();
    return 0;
}
