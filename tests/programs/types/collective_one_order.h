/* Rank 0 broadcasts in one way or another, as the first message that it gets says. */
#include <mpi.h>
#include <stddef.h>

#ifdef BYTES
enum { other_count = 8 };
#define OTHER MPI_BYTE
#else
enum { other_count = 2 };
#define OTHER MPI_FLOAT
#endif

int main(void) {
    int rank, first = 0, second = 0, numbers[2] = {0, 0};
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    if (first == 2) {
        MPI_Bcast(numbers, other_count, OTHER, 0, MPI_COMM_WORLD);
    } else {
        MPI_Bcast(numbers, 2, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
