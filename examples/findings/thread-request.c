/* dampi-run -n 2 */
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static MPI_Request request;

static void* await(void* none) {
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return none;
}

int main(int argc, char** argv) {
    int provided, rank, value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        pthread_t thread;
        pthread_create(&thread, NULL, await, NULL);
#ifndef MENDED
        await(NULL);
#else
        /* other orders of the threads are not run: incomplete, not clean */
#endif
        pthread_join(thread, NULL);
    } else {
        sleep(1); /* something that takes time */
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
