/* DAMPI-TEST
 *   np: 2
 *   expect: incomplete
 *   central: refused MPI_Init_thread
 * The main thread of rank 0 is blocked for long before another of its threads calls MPI for the first time and sends
 * what lets all go on: until then it looks like a deadlock, and is none.
 */
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static void* send_later(void* argument) {
    (void)argument;
    usleep(700000);
    int value = 1;
    MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    return NULL;
}

int main(int argc, char** argv) {
    int provided, rank, value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_t thread;
    if (rank == 0) {
        pthread_create(&thread, NULL, send_later, NULL);
        MPI_Recv(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        pthread_join(thread, NULL);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
