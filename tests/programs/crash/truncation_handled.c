/* DAMPI-TEST
 *   np: 3
 *   expect: truncation
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * As truncation_one_order, but the program has an error handler, which MPI calls once, and goes on.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

static int handled = 0;

static void handle(MPI_Comm* comm, int* code, ...) {
    int kind = 0;
    MPI_Error_class(*code, &kind);
    handled += *comm == MPI_COMM_WORLD && kind == MPI_ERR_TRUNCATE;
}

int main(void) {
    int rank, data[4] = {0};
    MPI_Errhandler handler;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Errhandler_free(&handler);
    if (rank == 0) {
        MPI_Status status;
        MPI_Request request;
        MPI_Irecv(data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
        const int code = MPI_Wait(&request, &status);
        assert((code != MPI_SUCCESS) == (status.MPI_SOURCE == 2) && handled == (status.MPI_SOURCE == 2));
        MPI_Recv(data, 4, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    } else {
        MPI_Send(data, rank == 1 ? 1 : 4, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
