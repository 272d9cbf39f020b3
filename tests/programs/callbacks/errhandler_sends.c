/* DAMPI-TEST
 *   np: 2
 *   expect: argument/rank, incomplete
 *   interleavings: 1
 * An error handler that communicates from inside the call that failed: nothing of it is modelled, and the result says
 * so.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

static void tell(MPI_Comm* comm, int* code, ...) {
    (void)comm;
    MPI_Send(code, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
}

int main(void) {
    int rank, code = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Comm twin;
        MPI_Errhandler handler;
        MPI_Comm_dup(MPI_COMM_SELF, &twin);
        MPI_Comm_create_errhandler(tell, &handler);
        MPI_Comm_set_errhandler(twin, handler);
        MPI_Errhandler_free(&handler);
        MPI_Send(&rank, 1, MPI_INT, 9, 0, twin);
        MPI_Comm_free(&twin);
    } else {
        MPI_Recv(&code, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(code != MPI_SUCCESS);
    }
    MPI_Finalize();
    return 0;
}
