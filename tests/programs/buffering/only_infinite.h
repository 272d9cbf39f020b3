// Rank 1 sends to rank 0 and then lets rank 2 do so. Rank 0's first receive takes any of these messages, its second
// names rank 2: if the first one has already taken that message, it waits for ever. As long as rank 1's send waits for
// its receive, that cannot be.
#include <mpi.h>
#include <stddef.h>

int main(void) {
    static int data[50000];
    int rank, token = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(data, 50000, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(data, 50000, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Send(data, COUNT, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&token, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(data, COUNT, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
