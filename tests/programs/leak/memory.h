/* Rank 0 takes two messages in any order, and memory of MPI. With WRONG 1 it does not give it back where rank 2 came
 * first. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Status status;
        int* values;
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < 3; i++) {
            MPI_Alloc_mem(100 * sizeof(int), MPI_INFO_NULL, &values);
            values[0] = value;
            if (!WRONG || i != 1 || status.MPI_SOURCE != 2) MPI_Free_mem(values);
        }
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
