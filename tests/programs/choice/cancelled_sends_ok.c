/* DAMPI-TEST
 *   np: 2
 *   expect: incomplete
 *   interleavings: 1
 * Who has cancelled a send waits for nobody, also where no send finds room; what was not cancelled after all is
 * received. Cancelling sends is not modelled, but nothing is claimed of it.
 */
#include <mpi.h>

static void cancel(MPI_Request* request) {
    int cancelled;
    MPI_Status status;
    MPI_Cancel(request);
    MPI_Wait(request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    MPI_Send(&cancelled, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
}

static void receive_if_not_cancelled(int tag) {
    int cancelled, value;
    MPI_Recv(&cancelled, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!cancelled) MPI_Recv(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    static int value = 1;
    int rank;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &request);
        cancel(&request);
        MPI_Issend(&value, 1, MPI_INT, 1, 6, MPI_COMM_WORLD, &request);
        cancel(&request);
    } else {
        receive_if_not_cancelled(5);
        receive_if_not_cancelled(6);
    }
    MPI_Finalize();
    return 0;
}
