/* DAMPI-TEST
 *   np: 2
 *   options: --livelock-limit 1.5
 *   expect: livelock
 *   interleavings: 1
 * Rank 0 polls for a message that nobody sends, and another thread of it waits until it gets one. Twin:
 * working_thread_ok.
 */
#include <mpi.h>
#include <stddef.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int got;

static void* await(void* none) {
    pthread_mutex_lock(&mutex);
    while (!got) {
        pthread_cond_wait(&changed, &mutex);
    }
    pthread_mutex_unlock(&mutex);
    return none;
}

int main(int argc, char** argv) {
    int provided, rank, value = 0, flag = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, await, NULL);
        while (!flag) {
            MPI_Iprobe(1, 7, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        }
        pthread_mutex_lock(&mutex);
        got = 1;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&mutex);
        pthread_join(thread, NULL);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
