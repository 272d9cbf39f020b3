/* DAMPI-TEST
 *   np: 1
 *   options: --livelock-limit 1
 *   expect: incomplete
 *   central: refused MPI_Grequest_complete
 *   interleavings: 1
 * The program polls for a generalized request, which another thread completes after a sleep.
 */
#include <mpi.h>
#include <stddef.h>
#include <pthread.h>
#include <unistd.h>

static int query(void* state, MPI_Status* status) {
    MPI_Status_set_elements(status, MPI_BYTE, 0);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int release(void* state) { return MPI_SUCCESS; }

static int cancel(void* state, int complete) { return MPI_SUCCESS; }

static void* work(void* request) {
    sleep(3);
    MPI_Grequest_complete(*(MPI_Request*)request);
    return NULL;
}

int main(int argc, char** argv) {
    int provided, flag = 0;
    pthread_t thread;
    MPI_Request request, same;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Grequest_start(query, release, cancel, NULL, &request);
    same = request;
    pthread_create(&thread, NULL, work, &same);
    while (!flag) {
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    }
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
