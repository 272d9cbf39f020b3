/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 * The twin of single_calls: the main thread asks.
 */
#include <mpi.h>
#include <pthread.h>

#ifndef ASKS_ITSELF
#define ASKS_ITSELF 1 /* the main thread */
#endif

static void* ask(void* rank) {
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    return NULL;
}

int main(int argc, char** argv) {
    int rank, first, second;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (first == 2 && !ASKS_ITSELF) {
            pthread_t thread;
            pthread_create(&thread, NULL, ask, &rank);
            pthread_join(thread, NULL);
        } else {
            ask(&rank);
        }
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
