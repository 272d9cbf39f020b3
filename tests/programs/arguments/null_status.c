/* DAMPI-TEST
 *   np: 2
 *   expect: argument/value
 *   interleavings: 1
 *   outcomes: {}
 * NULL is not MPI_STATUS_IGNORE: MPI refuses the calls, receives nothing, and the same calls with a status succeed.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

static int is_refused(int code) {
    int kind = MPI_SUCCESS;
    MPI_Error_class(code, &kind);
    return kind == MPI_ERR_ARG;
}

int main(void) {
    int rank, got[4] = {0}, count = 0, indices[2];
    MPI_Request requests[2];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const int peer = 1 - rank, value = 7 + rank;
    if (rank == 0) {
        assert(is_refused(MPI_Recv(got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, NULL)));
        assert(is_refused(MPI_Probe(1, 0, MPI_COMM_WORLD, NULL)));
        assert(MPI_Recv(got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS && got[0] == 8);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    assert(is_refused(MPI_Sendrecv(&value, 1, MPI_INT, peer, 1, got, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, NULL)));
    MPI_Irecv(&got[1], 1, MPI_INT, peer, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&got[2], 1, MPI_INT, peer, 2, MPI_COMM_WORLD, &requests[1]);
    assert(is_refused(MPI_Wait(requests, NULL)));
    assert(is_refused(MPI_Waitall(2, requests, NULL)));
    assert(is_refused(MPI_Waitsome(2, requests, &count, indices, NULL)));
    assert(is_refused(MPI_Waitany(2, requests, indices, NULL)));
    MPI_Send(&value, 1, MPI_INT, peer, 2, MPI_COMM_WORLD);
    MPI_Send(&value, 1, MPI_INT, peer, 2, MPI_COMM_WORLD);
    assert(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE) == MPI_SUCCESS && got[2] == 8 - rank);
    MPI_Finalize();
    return 0;
}
