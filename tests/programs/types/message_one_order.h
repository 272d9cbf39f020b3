/* What message_one_order and its twin have in common. */
#include <mpi.h>
#include <stddef.h>

/* The receives, and what ranks 1 and 2 send, have these tags. */
static int one_order(int first, int second) {
    int rank;
    union {
        int number[2];
        float real[2];
    } data = {{1, 1}};
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&data, 2, MPI_INT, MPI_ANY_SOURCE, first, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&data, 2, MPI_FLOAT, MPI_ANY_SOURCE, second, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Send(&data, 8, MPI_BYTE, 0, first, MPI_COMM_WORLD);
    } else {
        MPI_Send(&data, 2, MPI_FLOAT, 0, second, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
