/* DAMPI-TEST
 *   np: 2
 *   options: --livelock-limit 1
 *   expect: possible-livelock
 *   interleavings: 1
 *   central: refused MPI_Init_thread
 * Four threads of each rank poll for messages that nobody sends, and wait for each other before they enter MPI: on a
 * busy machine much longer than they do anything else, which is no work that could end it.
 */
#include <mpi.h>
#include <stddef.h>
#include <pthread.h>

enum { THREADS = 4 };

static void* poll(void* tag) {
    for (int flag = 0; !flag;) {
        MPI_Iprobe(MPI_ANY_SOURCE, *(const int*)tag, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    }
    return NULL;
}

int main(int argc, char** argv) {
    int provided, tags[THREADS];
    pthread_t threads[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    for (int i = 0; i < THREADS; i++) {
        tags[i] = i;
        pthread_create(&threads[i], NULL, poll, &tags[i]);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    MPI_Finalize();
    return 0;
}
