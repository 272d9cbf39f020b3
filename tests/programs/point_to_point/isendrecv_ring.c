/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 * One request for sending to the right and receiving from the left, in each call that completes requests.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

static int rank;

static void check(int got, const MPI_Status* status, int tag) {
    int count = -1, cancelled = 1;
    MPI_Get_count(status, MPI_INT, &count);
    MPI_Test_cancelled(status, &cancelled);
    assert(got == (rank + 2) % 3 && status->MPI_SOURCE == got && status->MPI_TAG == tag);
    assert(count == 1 && !cancelled);
}

int main(void) {
    int got = -1, both[2], right, left, flag = 0, which = -1;
    MPI_Request h[2];
    MPI_Status s[2];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    right = (rank + 1) % 3;
    left = (rank + 2) % 3;

    MPI_Isendrecv(&rank, 1, MPI_INT, right, 1, &got, 1, MPI_INT, left, 1, MPI_COMM_WORLD, h);
    MPI_Wait(h, s);
    check(got, s, 1);
    assert(h[0] == MPI_REQUEST_NULL);

    got = rank;
    MPI_Isendrecv_replace(&got, 1, MPI_INT, right, 2, left, 2, MPI_COMM_WORLD, h);
    MPI_Waitany(1, h, &which, s);
    check(got, s, 2);
    assert(which == 0);

    MPI_Isendrecv_c(&rank, 1, MPI_INT, right, 3, &both[0], 1, MPI_INT, left, 3, MPI_COMM_WORLD, &h[0]);
    both[1] = rank;
    MPI_Isendrecv_replace_c(&both[1], 1, MPI_INT, right, 4, left, 4, MPI_COMM_WORLD, &h[1]);
    MPI_Waitall(2, h, s);
    check(both[0], &s[0], 3);
    check(both[1], &s[1], 4);

    MPI_Isendrecv(&rank, 1, MPI_INT, MPI_PROC_NULL, 5, &got, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, h);
    MPI_Wait(h, MPI_STATUS_IGNORE);
    MPI_Isendrecv(&rank, 1, MPI_INT, rank == 2 ? MPI_PROC_NULL : right, 6, &got, 1, MPI_INT,
                  rank == 0 ? MPI_PROC_NULL : left, 6, MPI_COMM_WORLD, h);
    MPI_Wait(h, s);
    if (rank != 0) check(got, s, 6);

    MPI_Isendrecv(&rank, 1, MPI_INT, right, 7, &got, 1, MPI_INT, left, 7, MPI_COMM_WORLD, h);
    MPI_Barrier(MPI_COMM_WORLD);
    while (!flag) MPI_Request_get_status(h[0], &flag, s);
    check(got, s, 7);
    MPI_Wait(h, s);
    check(got, s, 7);
    MPI_Finalize();
    return 0;
}
