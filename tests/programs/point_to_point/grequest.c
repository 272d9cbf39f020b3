/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Grequest_complete
 *   interleavings: 1
 * Generalized requests that the program completes before it asks for them, alone and beside others; their functions
 * are called as often as MPI says, and may call MPI.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

static int queries, frees, cancels, told;

static int query(void* extra, MPI_Status* status) {
    ++queries;
    MPI_Status_set_elements(status, MPI_INT, 3);
    MPI_Status_set_cancelled(status, cancels);
    status->MPI_SOURCE = *(int*)extra;
    status->MPI_TAG = 42;
    return MPI_SUCCESS;
}

static int let_go(void* extra) {
    ++frees;
    assert(*(int*)extra == 17);
    if (told) MPI_Send(&frees, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    return MPI_SUCCESS;
}

static int cancel(void* extra, int complete) {
    assert(*(int*)extra == 17 && complete == 0);
    ++cancels;
    return MPI_SUCCESS;
}

int main(void) {
    int rank, extra = 17, flag = -1, count = -1, got = -1;
    MPI_Request h[2];
    MPI_Status s[2];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Grequest_start(query, let_go, cancel, &extra, &h[0]);
        MPI_Test(&h[0], &flag, s);
        assert(!flag && queries == 0 && h[0] != MPI_REQUEST_NULL);
        MPI_Grequest_complete(h[0]);
        MPI_Request_get_status(h[0], &flag, s);
        assert(flag && queries == 1 && frees == 0);
        MPI_Wait(&h[0], s);
        MPI_Get_count(s, MPI_INT, &count);
        assert(queries == 2 && frees == 1 && count == 3 && s[0].MPI_SOURCE == 17 && s[0].MPI_TAG == 42);
        assert(h[0] == MPI_REQUEST_NULL);

        MPI_Grequest_start(query, let_go, cancel, &extra, &h[0]);
        MPI_Irecv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &h[1]);
        MPI_Grequest_complete(h[0]);
        MPI_Waitall(2, h, s);
        assert(frees == 2 && s[0].MPI_TAG == 42 && s[1].MPI_SOURCE == 1 && got == 1);

        MPI_Grequest_start(query, let_go, cancel, &extra, &h[0]);
        MPI_Cancel(&h[0]);
        assert(cancels == 1);
        MPI_Grequest_complete(h[0]);
        told = 1;
        MPI_Wait(&h[0], s);
        MPI_Test_cancelled(s, &flag);
        assert(flag && frees == 3);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&got, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, s);
        assert(got == 3);
    }
    MPI_Finalize();
    return 0;
}
