/* Rank 0 takes two messages in any order and then writes the file. With WRONG 1 and rank 2 first it writes as many
 * bytes, but of another type than the view has. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank, value = 0;
    double numbers[4] = {1, 2, 3, 4};
    MPI_Status status;
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, FILE_NAME, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    MPI_File_set_view(file, 0, MPI_DOUBLE, MPI_DOUBLE, "native", MPI_INFO_NULL);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        const int wrong = WRONG && status.MPI_SOURCE == 2;
        MPI_File_write_at(file, 0, numbers, wrong ? 8 : 4, wrong ? MPI_FLOAT : MPI_DOUBLE, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
