/* DAMPI-TEST
 *   np: 2
 *   expect: deadlock, incomplete
 *   central: refused MPI_Init_thread
 * Rank 1 has a hundred threads, one after the other, each of which waits for a message before it ends. The last one
 * gets none, and rank 0 waits for the answer: what the ended threads waited for must not count.
 */
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

#ifndef UNSENT
#define UNSENT 1 /* how many of the messages are missing */
#endif
#define THREADS 100

static void* receiver(void* none) {
    int value;
    MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return none;
}

int main(int argc, char** argv) {
    int provided, rank, value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < THREADS - UNSENT; i++) {
            usleep(2000); /* so that the receiver has begun to wait */
            MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        }
        MPI_Recv(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        for (int i = 0; i < THREADS; i++) {
            pthread_t thread;
            pthread_create(&thread, NULL, receiver, NULL);
            pthread_join(thread, NULL);
        }
        MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
