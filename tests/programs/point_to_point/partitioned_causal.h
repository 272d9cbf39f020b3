/* Rank 0 receives a message from any source, then makes a partition ready for rank 2, which sends it one, too: after it
 * has got the partition, or before. The other partition is ready before rank 0 receives. */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

static int causal(int waits_first) {
    int rank, got = -1, other = -1, data[2] = {0, 0};
    MPI_Request h;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Psend_init(data, 2, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &h);
        MPI_Start(&h);
        MPI_Pready(1, h);
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Pready(0, h);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
        MPI_Request_free(&h);
        MPI_Recv(&other, 1, MPI_INT, 3 - got, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(got + other == 3);
    } else if (rank == 1) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Precv_init(data, 2, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &h);
        MPI_Start(&h);
        if (waits_first) MPI_Wait(&h, MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (!waits_first) MPI_Wait(&h, MPI_STATUS_IGNORE);
        MPI_Request_free(&h);
    }
    MPI_Finalize();
    return 0;
}
