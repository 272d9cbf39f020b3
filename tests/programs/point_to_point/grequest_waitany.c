/* DAMPI-TEST
 *   np: 2
 *   expect: crash
 *   central: refused MPI_Grequest_complete
 *   interleavings: 2
 *   outcomes: {0#0=0 0#1=1} {0#0=1 0#1=1}
 *   where: grequest_waitany.c:@
 * The first MPI_Waitany may report the generalized request or the receive. The second reports the receive of its own:
 * the generalized request beside it is completed only afterwards.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

static int query(void* extra, MPI_Status* status) {
    (void)extra;
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int let_go(void* extra) {
    (void)extra;
    return MPI_SUCCESS;
}

static int cancel(void* extra, int complete) {
    (void)extra;
    (void)complete;
    return MPI_SUCCESS;
}

int main(void) {
    int rank, got[2] = {-1, -1}, first = -1, second = -1;
    MPI_Request h[2];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Grequest_start(query, let_go, cancel, NULL, &h[0]);
        MPI_Irecv(&got[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &h[1]);
        MPI_Grequest_complete(h[0]);
        MPI_Waitany(2, h, &first, MPI_STATUS_IGNORE);
        MPI_Wait(&h[1 - first], MPI_STATUS_IGNORE);

        MPI_Grequest_start(query, let_go, cancel, NULL, &h[0]);
        MPI_Irecv(&got[1], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &h[1]);
        MPI_Waitany(2, h, &second, MPI_STATUS_IGNORE);
        assert(second == 1);
        MPI_Grequest_complete(h[0]);
        MPI_Wait(&h[0], MPI_STATUS_IGNORE);
        assert(first == 0); /*@*/
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
