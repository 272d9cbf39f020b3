/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {0#0=1 0#1=1}
 *   options: --explore-polls 1
 * A request of MPI_PROC_NULL is complete at once: whatever asks about it is never told "nothing yet", nor is a call
 * that needs only one of several requests, of which one is such.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

static int value = 5;

static MPI_Request nobody(int receive) {
    MPI_Request request;
    if (receive) {
        MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
    } else {
        MPI_Isend(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
    }
    return request;
}

static void one_by_one(void) {
    int flag;
    MPI_Status statuses[2];
    for (int receive = 0; receive < 2; ++receive) {
        MPI_Request request = nobody(receive);
        MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
        assert(flag);
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        assert(flag && request == MPI_REQUEST_NULL);
        request = nobody(receive);
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        assert(flag);
    }
    MPI_Request two[2] = {nobody(0), nobody(1)};
    MPI_Testall(2, two, &flag, statuses);
    assert(flag);
}

static void persistent(void) {
    int flag;
    MPI_Request request;
    MPI_Recv_init(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 2; ++i) {
        MPI_Start(&request);
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        assert(flag);
    }
    MPI_Request_free(&request);
}

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int flag, index, count, indices[2], got = 0;
        MPI_Request requests[2];
        MPI_Status statuses[2];
        one_by_one();
        persistent();
        MPI_Irecv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]); /* cannot be complete yet */
        requests[1] = nobody(1);
        MPI_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
        assert(flag && index == 1);
        requests[1] = nobody(0);
        MPI_Testsome(2, requests, &count, indices, statuses);
        assert(count == 1 && indices[0] == 1);
        MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        assert(got == 1);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
