/* Columns are received by one call, as elements that begin inside of each other. With WRONG 1 it is wrong. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    enum { rows = 6, columns = 4 };
    static int matrix[rows][columns];
    MPI_Datatype vector, column;
    MPI_Type_vector(rows, 1, columns, MPI_INT, &vector);
    MPI_Type_create_resized(vector, 0, WRONG ? 2 : 4, &column);
    MPI_Type_commit(&column);
    MPI_Type_free(&vector);
    if (rank == 0)
        MPI_Recv(matrix, 2, column, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(matrix, 2 * rows, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
