/* DAMPI-TEST
 *   np: 3
 *   expect: sanitizer/thread
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 *   where: race.c:@
 * With rank 2 first, two threads add to the same variable: what ThreadSanitizer sees. Twin: race_ok.
 */
#include <mpi.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <pthread.h>
#include <sched.h>

static volatile int sum;

static atomic_int arrived;

/* Both threads live when they meet, yet nothing is ordered by it. */
static void meet(int all) {
    atomic_fetch_add_explicit(&arrived, 1, memory_order_relaxed);
    while (atomic_load_explicit(&arrived, memory_order_relaxed) < all) {
        sched_yield();
    }
}

__attribute__((noinline)) static void* add(void* unused) {
    meet(2);
    for (int i = 0; i < 1000; ++i) {
        ++sum; /*@*/
    }
    meet(4);
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
