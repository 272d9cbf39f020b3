/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 * The twin of one_caller: a second thread computes and never calls MPI, so the run is modelled like any other and the
 * result is complete.
 */
#include <mpi.h>
#include <pthread.h>

#ifndef RECEIVES_FIRST
#define RECEIVES_FIRST 1 /* ranks that receive before they send */
#endif

static void* compute(void* result) {
    double sum = 0;
    for (int i = 1; i < 100000; ++i) {
        sum += 1.0 / i;
    }
    *(double*)result = sum;
    return NULL;
}

int main(int argc, char** argv) {
    int provided, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double sum, theirs;
    pthread_t thread;
    pthread_create(&thread, NULL, compute, &sum);
    pthread_join(thread, NULL);
    if (rank < RECEIVES_FIRST) {
        MPI_Recv(&theirs, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&sum, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD);
    } else {
        MPI_Send(&sum, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD);
        MPI_Recv(&theirs, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
