/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 * Nonblocking, neighbourhood and persistent collectives in which rank 1 needs rank 0, which enters each of them after a
 * message that rank 1 sends behind the call that reports some of its requests. So each such call can only report the
 * send.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

enum { kinds = 7, calls = 4 };

static int in, out[2];

static void begin(int kind, MPI_Comm ring, MPI_Request* request) {
    switch (kind) {
        case 0:
            MPI_Ibarrier(ring, request);
            break;
        case 1:
            MPI_Ibcast(&in, 1, MPI_INT, 0, ring, request);
            break;
        case 2:
            MPI_Iallreduce(&in, out, 1, MPI_INT, MPI_SUM, ring, request);
            break;
        case 3:
            MPI_Igather(&in, 1, MPI_INT, out, 1, MPI_INT, 1, ring, request);
            break;
        case 4:
            MPI_Iscan(&in, out, 1, MPI_INT, MPI_SUM, ring, request);
            break;
        case 5:
            MPI_Ineighbor_allgather(&in, 1, MPI_INT, out, 1, MPI_INT, ring, request);
            break;
        default:
            MPI_Start(request);
    }
}

static void report_one(int call, MPI_Request h[2]) {
    int which = MPI_UNDEFINED, count = 0, indices[2], flag = 0;
    MPI_Status statuses[2];
    if (call == 0) {
        MPI_Waitany(2, h, &which, MPI_STATUS_IGNORE);
    } else if (call == 1) {
        MPI_Waitsome(2, h, &count, indices, statuses);
    } else if (call == 2) {
        while (!flag) {
            MPI_Testany(2, h, &which, &flag, MPI_STATUS_IGNORE);
        }
    } else {
        while (count == 0) {
            MPI_Testsome(2, h, &count, indices, statuses);
        }
    }
    assert(which == 1 || (count == 1 && indices[0] == 1));
}

int main(void) {
    int rank, dims[1] = {2}, periods[1] = {1}, number = 0;
    MPI_Comm ring;
    MPI_Request persistent;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring);
    MPI_Barrier_init(ring, MPI_INFO_NULL, &persistent);
    for (int i = 0; i < kinds * calls; ++i) {
        MPI_Request h[2] = {persistent, MPI_REQUEST_NULL};
        if (rank == 0) {
            MPI_Recv(&number, 1, MPI_INT, 1, 0, ring, MPI_STATUS_IGNORE);
            MPI_Recv(&number, 1, MPI_INT, 1, 1, ring, MPI_STATUS_IGNORE);
            begin(i / calls, ring, &h[0]);
        } else {
            begin(i / calls, ring, &h[0]);
            MPI_Isend(&number, 1, MPI_INT, 0, 0, ring, &h[1]);
            report_one(i % calls, h);
            MPI_Send(&number, 1, MPI_INT, 0, 1, ring);
        }
        MPI_Wait(&h[0], MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&persistent);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
