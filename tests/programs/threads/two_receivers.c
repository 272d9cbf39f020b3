/* DAMPI-TEST
 *   np: 3
 *   expect: incomplete
 *   central: refused MPI_Init_thread
 *   interleavings: 4
 * Two threads of rank 0 receive from any source, each with a tag of its own, two messages each. Which thread comes
 * first decides the numbers of the epochs: a guided run follows the order of the run that it comes from, so all four
 * pairs of orders are seen and no run diverges. A free run of these threads goes another way each time.
 */
#include <mpi.h>
#include <time.h>
#include <unistd.h>

/* Anything but the same in each run. */
static void pause_a_little(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    usleep(now.tv_nsec / 1000 % 3000);
}
#include <pthread.h>

static void* receive_two(void* tag) {
    for (int i = 0; i < 2; ++i) {
        int value;
        pause_a_little();
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, *(int*)tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return NULL;
}

int main(int argc, char** argv) {
    int provided, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int tags[2] = {1, 2};
    if (rank == 0) {
        pthread_t threads[2];
        for (int i = 0; i < 2; ++i) {
            pthread_create(&threads[i], NULL, receive_two, &tags[i]);
        }
        for (int i = 0; i < 2; ++i) {
            pthread_join(threads[i], NULL);
        }
    } else {
        for (int i = 0; i < 2; ++i) {
            MPI_Send(&rank, 1, MPI_INT, 0, tags[i], MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
