/* Rank 0 receives from any source, twice: (n - 1)! orders. With an argument it relies on one of them. */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        int sum = 0;
        for (int i = 1; i < size; i++) {
            int number;
            MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            assert(argc == 1 || number != size - 1 || i > 1);
            sum += number;
        }
        printf("sum: %d\n", sum);
    } else {
        MPI_Request request;
        MPI_Status status;
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Isend(NULL, 0, MPI_INT, rank, 1, MPI_COMM_WORLD, &request);
        MPI_Recv(NULL, 0, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Waitall(1, &request, &status);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
