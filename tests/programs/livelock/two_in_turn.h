/* Each rank enters a nonblocking barrier, then looks for messages until all have; rank 0 is LATE. */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value, done = 0;
    MPI_Request barrier;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && LATE) { /* for a message that nobody sends */
        MPI_Irecv(&value, 1, MPI_INT, 1, 6, MPI_COMM_WORLD, &barrier);
    } else {
        MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    }
    while (!done) {
        int there = 0;
        MPI_Iprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        if (there) {
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
