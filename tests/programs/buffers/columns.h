/* Columns of one matrix are received at the same time, by vectors. With WRONG 1 it is wrong. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    enum { rows = 16, columns = 8 };
    static double matrix[rows + 1][columns];
    MPI_Request requests[columns];
    MPI_Datatype column;
    MPI_Type_vector(rows, 1 + WRONG, columns, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    if (rank == 0) {
        for (int i = 0; i < columns; i++) MPI_Irecv(&matrix[0][i], 1, column, 1, i, MPI_COMM_WORLD, &requests[i]);
        MPI_Type_free(&column); /* those that are pending keep it */
        MPI_Waitall(columns, requests, MPI_STATUSES_IGNORE);
    } else {
        for (int i = 0; i < columns; i++) MPI_Send(&matrix[0][i], 1, column, 0, i, MPI_COMM_WORLD);
        MPI_Type_free(&column);
    }
    MPI_Finalize();
    return 0;
}
