/* dampi-run -n 2 */
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static MPI_Comm comms[2];

static void* sum_up(void* comm) {
    int one = 1, sum;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, *(MPI_Comm*)comm);
    return NULL;
}

int main(int argc, char** argv) {
    int provided, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    sleep(rank); /* something that takes time */
    pthread_t thread;
    pthread_create(&thread, NULL, sum_up, &comms[0]);
#ifdef MENDED
    sum_up(&comms[1]); /* other orders of the threads are not run: incomplete, not clean */
#else
    sum_up(&comms[0]); /* which of both comes first in which rank? */
#endif
    pthread_join(thread, NULL);
    MPI_Comm_free(&comms[0]);
    MPI_Comm_free(&comms[1]);
    MPI_Finalize();
    return 0;
}
