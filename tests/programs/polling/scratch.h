/* Rank 0 asks for a message and works between two questions, with a variable of the loop's; aborts if that is `needed`
 * and has never been set, or if it is `unwanted` and has been. */
#include <mpi.h>
#include <stddef.h>

static volatile double found;

static int poll_with_scratch(int needed, int unwanted) {
    int rank, value = 0, flag = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Request request;
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        for (;;) {
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
            if (flag) break;
            double sum = 0;
            for (int i = 0; i < 100; ++i) {
                sum += i;
            }
            found = sum;
        }
        if ((needed && found == 0) || (unwanted && found != 0)) MPI_Abort(MPI_COMM_WORLD, 3);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
