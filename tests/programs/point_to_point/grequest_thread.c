/* DAMPI-TEST
 *   np: 2
 *   expect: incomplete (MPI_THREAD_MULTIPLE)
 *   central: refused MPI_Grequest_complete
 * Another thread completes the generalized request that all ranks wait for, long after everybody else is blocked: no
 * deadlock.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>
#include <pthread.h>
#include <unistd.h>

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

static void* complete_later(void* request) {
    sleep(4);
    MPI_Grequest_complete(*(MPI_Request*)request);
    return NULL;
}

int main(void) {
    int rank, provided = 0, got = -1;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    assert(provided == MPI_THREAD_MULTIPLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Request h, kept;
        pthread_t thread;
        MPI_Grequest_start(query, let_go, cancel, NULL, &h);
        kept = h;
        pthread_create(&thread, NULL, complete_later, &kept);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
        pthread_join(thread, NULL);
        MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
