/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 * The twin of finalizing_thread: the thread that initialised MPI also finalizes it.
 */
#include <mpi.h>
#include <pthread.h>

#ifndef OTHER_FINALIZES
#define OTHER_FINALIZES 0
#endif

static void* finalize(void* finalizes) {
    if (*(int*)finalizes) {
        MPI_Finalize();
    }
    return NULL;
}

int main(int argc, char** argv) {
    int provided, others = OTHER_FINALIZES, own = !OTHER_FINALIZES;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    pthread_create(&thread, NULL, finalize, &others);
    pthread_join(thread, NULL);
    finalize(&own);
    return 0;
}
