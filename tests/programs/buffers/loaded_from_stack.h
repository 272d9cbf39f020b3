/* A number on the stack is received. With WRONG 1 it is used too early. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    volatile int before = 0;
    int number = 0;
    volatile int behind = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Request request;
        MPI_Irecv(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        before = behind + 1;
        if (WRONG && number == 0) behind = 1;
        behind = before;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        behind = number;
    } else {
        MPI_Send(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
