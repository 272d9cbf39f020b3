/* Deadlocks when rank 2's message comes first, and loses a communicator in any order. With -DMENDED it has neither
 * fault; with -DANOTHER rank 1 also loses a datatype; -DTAG=N is the messages' tag. */
#include <mpi.h>

#ifndef TAG
#define TAG 0
#endif

static void exchange(void) {
    int rank, value = 0;
    MPI_Status status;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status);
#ifdef MENDED
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status);
#else
        MPI_Recv(&value, 1, MPI_INT, 2, TAG, MPI_COMM_WORLD, &status);
#endif
    } else if (rank <= 2) {
        MPI_Send(&rank, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD);
    }
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    exchange();
#ifdef MENDED
    MPI_Comm_free(&copy);
#endif
#ifdef ANOTHER
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
#endif
    MPI_Finalize();
    return 0;
}
