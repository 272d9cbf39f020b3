/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * The twin of funneled_calls: the other thread only makes calls that any thread may make, and the main thread sends.
 */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>

#ifndef SENDS_ITSELF
#define SENDS_ITSELF 1 /* the main thread */
#endif

static int value;

static void send_value(void) { MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); }

static void* compute(void* none) {
    int flag, version, subversion, error_class;
    MPI_Initialized(&flag);
    assert(flag);
    MPI_Is_thread_main(&flag);
    assert(!flag);
    MPI_Query_thread(&flag);
    MPI_Get_version(&version, &subversion);
    MPI_Error_class(MPI_SUCCESS, &error_class);
    value = version + error_class;
    if (!SENDS_ITSELF) {
        send_value();
    }
    return none;
}

int main(int argc, char** argv) {
    int provided, rank;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread, NULL, compute, NULL);
        pthread_join(thread, NULL);
        if (SENDS_ITSELF) {
            send_value();
        }
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
