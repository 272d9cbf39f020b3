/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 36
 * Persistent collectives, completed by each function that completes several requests, and asked about while they are
 * inactive, also before their first start. MPICH's own functions fail here: MPI_Testall aborts, MPI_Waitany and
 * MPI_Testany report inactive ones, MPI_Test of one that was never started answers false.
 * Rank 0 chooses: 2 requests for MPI_Waitany and MPI_Testany each, 3 sets for MPI_Waitsome and MPI_Testsome each.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

static int rank, value = 1, sum, word;
static MPI_Request requests[2];
static MPI_Status statuses[2];

static void start(void) {
    sum = 0;
    word = rank == 0 ? 7 : 0;
    MPI_Startall(2, requests);
}

static void check(void) {
    int flag = 0, index = 0, count = 0, indices[2];
    assert(sum == 2 && word == 7);
    assert(requests[0] != MPI_REQUEST_NULL && requests[1] != MPI_REQUEST_NULL);
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    assert(index == MPI_UNDEFINED);
    MPI_Testsome(2, requests, &count, indices, statuses);
    assert(count == MPI_UNDEFINED);
    MPI_Testall(2, requests, &flag, statuses);
    assert(flag);
}

int main(void) {
    int flag = 0, index = 0, count = 0, indices[2];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce_init(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Bcast_init(&word, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    MPI_Request_get_status(requests[0], &flag, MPI_STATUS_IGNORE);
    assert(flag);
    MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    assert(flag && requests[0] != MPI_REQUEST_NULL);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_Waitall(2, requests, statuses);

    start();
    MPI_Waitall(2, requests, statuses);
    check();

    start();
    flag = 0;
    while (!flag) MPI_Testall(2, requests, &flag, statuses);
    check();

    start();
    if (rank == 0) {
        MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
        MPI_Waitany(2, requests, &count, MPI_STATUS_IGNORE);
        assert(index + count == 1);
    } else {
        MPI_Waitall(2, requests, statuses);
    }
    check();

    start();
    if (rank == 0) {
        for (int i = 0; i < 2; i++) {
            flag = 0;
            while (!flag) MPI_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
            assert(index != MPI_UNDEFINED);
        }
    } else {
        MPI_Waitall(2, requests, statuses);
    }
    check();

    start();
    if (rank == 0) {
        for (int done = 0; done < 2; done += count) MPI_Waitsome(2, requests, &count, indices, statuses);
    } else {
        MPI_Waitall(2, requests, statuses);
    }
    check();

    start();
    if (rank == 0) {
        for (int done = 0; done < 2; done += count) MPI_Testsome(2, requests, &count, indices, statuses);
    } else {
        MPI_Waitall(2, requests, statuses);
    }
    check();

    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    MPI_Finalize();
    return 0;
}
