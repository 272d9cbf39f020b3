/* DAMPI-TEST
 *   np: 2
 *   expect: deadlock
 *   central: refused MPI_Grequest_start
 *   where: own_generalized_request.c:@
 * The only thread waits for its own generalized request, and another rank for it. Twin: ../fortran/generalized_ok.
 */
#include <mpi.h>

static int query(void* state, MPI_Status* status) {
    (void)state;
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

static int give_back(void* state) {
    (void)state;
    return MPI_SUCCESS;
}

static int cancel(void* state, int complete) {
    (void)state, (void)complete;
    return MPI_SUCCESS;
}

int main(int argc, char** argv) {
    int rank;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Grequest_start(query, give_back, cancel, 0, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE); /*@*/
        MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
