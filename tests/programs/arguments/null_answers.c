/* DAMPI-TEST
 *   np: 2
 *   expect: argument/value
 *   interleavings: 1
 *   outcomes: {}
 * Polling calls that are given no place for their answer, between such as are: MPI refuses them, which changes nothing.
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
    int rank, got[2] = {0}, flag, index, count, indices[2];
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Message message;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 1) {
        for (int tag = 0; tag < 3; tag++) MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    } else {
        for (int i = 0; i < 2; i++) MPI_Irecv(&got[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]);
        assert(is_refused(MPI_Test(requests, NULL, statuses)));
        assert(is_refused(MPI_Testall(2, requests, NULL, statuses)));
        assert(is_refused(MPI_Testall(2, NULL, &flag, statuses)));
        assert(is_refused(MPI_Testany(2, requests, &index, NULL, statuses)));
        assert(is_refused(MPI_Testany(2, requests, NULL, &flag, statuses)));
        assert(is_refused(MPI_Testsome(2, requests, NULL, indices, statuses)));
        assert(is_refused(MPI_Testsome(2, requests, &count, NULL, statuses)));
        assert(is_refused(MPI_Waitany(2, requests, NULL, statuses)));
        assert(is_refused(MPI_Waitsome(2, requests, NULL, indices, statuses)));
        assert(is_refused(MPI_Request_get_status(requests[0], NULL, statuses)));
        assert(is_refused(MPI_Iprobe(1, 2, MPI_COMM_WORLD, NULL, statuses)));
        assert(is_refused(MPI_Improbe(1, 2, MPI_COMM_WORLD, NULL, &message, statuses)));
        assert(is_refused(MPI_Improbe(1, 2, MPI_COMM_WORLD, &flag, NULL, statuses)));
        assert(MPI_Waitall(2, requests, statuses) == MPI_SUCCESS && got[1] == 1);
        MPI_Recv(got, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
