/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * The twin of serialized_overlap: a lock keeps the calls of the two threads apart.
 */
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

#ifndef ONE_AT_A_TIME
#define ONE_AT_A_TIME 1
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int begun, received;

static void lock(void) {
    if (ONE_AT_A_TIME) {
        pthread_mutex_lock(&mutex);
    }
}
static void unlock(void) {
    if (ONE_AT_A_TIME) {
        pthread_mutex_unlock(&mutex);
    }
}

static void* ask(void* none) {
    char name[MPI_MAX_PROCESSOR_NAME];
    int length;
    while (!begun) {}
    do {
        lock();
        MPI_Get_processor_name(name, &length);
        unlock();
        usleep(100);
    } while (!received);
    return none;
}

int main(int argc, char** argv) {
    int provided, rank, value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, ask, NULL);
        lock();
        begun = 1;
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        unlock();
        received = 1;
        pthread_join(thread, NULL);
    } else {
        for (volatile int i = 0; i < 200000000; ++i) {} /* while the other thread of rank 0 asks */
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
