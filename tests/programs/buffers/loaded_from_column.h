/* A column of a matrix is received, in two ways one after the other, while others are used. With WRONG 1 it is, too. */
#include <mpi.h>
#include <stdlib.h>

enum { ROWS = 30, COLUMNS = 5 };

int main(int argc, char** argv) {
    int rank;
    double sum = 0;
    MPI_Datatype column;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(ROWS, 1, COLUMNS, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    double* matrix = calloc(ROWS * COLUMNS, sizeof(double));
    if (rank == 0) {
        MPI_Request request;
        MPI_Recv_init(matrix + 2, 1, column, 1, 0, MPI_COMM_WORLD, &request);
        for (int round = 0; round < 2; ++round) {
            sum += matrix[2];
            MPI_Start(&request);
            for (int row = 0; row < ROWS; ++row) {
                matrix[row * COLUMNS + 1] += matrix[row * COLUMNS + 3];
            }
            if (WRONG && round == 1) sum += matrix[2 + COLUMNS];
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        MPI_Request_free(&request);
    } else {
        MPI_Send(matrix + 2, 1, column, 0, 0, MPI_COMM_WORLD);
        MPI_Send(matrix + 2, 1, column, 0, 0, MPI_COMM_WORLD);
    }
    free(matrix);
    MPI_Type_free(&column);
    MPI_Finalize();
    return sum == 0 ? 0 : 1;
}
