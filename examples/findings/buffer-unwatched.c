/* dampi-run -n 2 --check-buffers */
#include <mpi.h>
#include <pthread.h>

static void* work(void* none) { return none; }

int main(int argc, char** argv) {
    int rank, value = 1;
    pthread_t thread;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Request request;
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
#ifndef MENDED
        pthread_create(&thread, NULL, work, NULL); /* may use the buffer, too */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
#else
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        pthread_create(&thread, NULL, work, NULL);
#endif
        pthread_join(thread, NULL);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
