/* Rank 0 reads a number, and aborts if it is the rank whose message comes first; 0 without one. 3 ranks. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    int rank, size, number = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        if (scanf("%d", &number) != 1) puts("no input");
        for (int i = 1; i < size; i++) {
            int first;
            MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (i == 1 && first == number) MPI_Abort(MPI_COMM_WORLD, 1);
        }
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
