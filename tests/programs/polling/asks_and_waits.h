/* Rank 0 asks once for each of three messages, then waits for it; aborts if so many had not come when they were asked
 * for. */
#include <mpi.h>
#include <stddef.h>

static int ask_and_wait(int too_many) {
    int rank, value = 0, late = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; ++i) {
        if (rank == 0) {
            MPI_Request request;
            int flag;
            MPI_Irecv(&value, 1, MPI_INT, 1, i, MPI_COMM_WORLD, &request);
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
            late += !flag;
            if (!flag) MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else {
            MPI_Send(&value, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
        }
    }
    if (late == too_many) MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Finalize();
    return 0;
}
