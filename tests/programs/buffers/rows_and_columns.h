/* A row and a column of one matrix are received at the same time. With WRONG 1 it is wrong. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    enum { size = 8 };
    static int matrix[size][size];
    MPI_Request requests[2];
    MPI_Datatype column;
    MPI_Type_vector(size - 1 + WRONG, 1, size, MPI_INT, &column);
    MPI_Type_commit(&column);
    if (rank == 0) {
        MPI_Irecv(&matrix[0][3], 1, column, 1, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(matrix[size - 1], size, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else {
        MPI_Send(&matrix[0][3], 1, column, 0, 0, MPI_COMM_WORLD);
        MPI_Send(matrix[size - 1], size, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
