/* DAMPI-TEST
 *   np: 3
 *   expect: sanitizer/thread
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 *   where: race.c:@
 * With rank 2 first, two threads add to the same variable: what ThreadSanitizer sees. Twin: race_ok.
 */
#include <mpi.h>
#include <stdlib.h>
#include <pthread.h>

static volatile int sum;

__attribute__((noinline)) static void* add(void* unused) {
    for (int i = 0; i < 1000; ++i) {
        ++sum; /*@*/
    }
    return unused;
}

int main(void) {
    int rank, got;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 2; ++i) {
            pthread_t thread;
            MPI_Status status;
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
            if (i == 0 && status.MPI_SOURCE == 2) {
                pthread_create(&thread, NULL, add, NULL);
                add(NULL);
                pthread_join(thread, NULL);
            }
        }
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return EXIT_SUCCESS;
}
