/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * MPI_THREAD_FUNNELED: threads that compute go on beside a main thread that alone calls MPI. Nothing is different, and
 * the result is complete.
 */
#include <mpi.h>
#include <pthread.h>

static volatile int over;

static void* compute(void* argument) {
    while (!over) {}
    return argument;
}

int main(int argc, char** argv) {
    int provided, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, compute, NULL);
        for (int i = 0; i < 2; ++i) {
            int value;
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        over = 1;
        pthread_join(thread, NULL);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
