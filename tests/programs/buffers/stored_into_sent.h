/* A number is sent again and again. With WRONG 1 it is wrong. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Request request;
        for (int i = 0; i < 3;) {
            MPI_Isend(&i, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
            if (WRONG) i++;
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            if (!WRONG) i++;
        }
    } else {
        int number;
        for (int i = 0; i < 3; i++) MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
