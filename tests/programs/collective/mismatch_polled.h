/* Two nonblocking collectives, in another order in rank 1 if `crossed`. */
#include <mpi.h>
#include <stddef.h>

static int collectives(int crossed) {
    int rank, value[4] = {0}, sum[4] = {0}, all[12] = {0}, done = 0;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 2; i++) {
        if (i == (crossed && rank == 1)) {
            MPI_Iallgather(value, 4, MPI_INT, all, 4, MPI_INT, MPI_COMM_WORLD, &requests[i]);
        } else {
            MPI_Iallreduce(value, sum, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[i]);
        }
    }
    while (!done) MPI_Testall(2, requests, &done, statuses);
    MPI_Finalize();
    return 0;
}
