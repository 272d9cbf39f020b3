/* DAMPI-TEST
 *   np: 2
 *   expect: incomplete
 *   notes: buffer/unwatched
 *   options: --check-buffers
 * A thread is there while the number is received, so nobody looks whether it is used too early; which is said; for it
 * was asked for.
 */
#include <mpi.h>
#include <stdlib.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* wait_for_the_end(void* argument) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(int argc, char** argv) {
    int rank;
    volatile int sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int* number = calloc(1000, sizeof(int));
    if (rank == 0) {
        pthread_t thread;
        MPI_Request request;
        pthread_mutex_lock(&mutex);
        pthread_create(&thread, NULL, wait_for_the_end, NULL);
        MPI_Irecv(number, 1000, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        sum = number[500];
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        pthread_mutex_unlock(&mutex);
        pthread_join(thread, NULL);
    } else {
        MPI_Send(number, 1000, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    free(number);
    MPI_Finalize();
    return sum;
}
