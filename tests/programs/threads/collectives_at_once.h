/* Two threads of each rank make collectives, rank 1 later than rank 0: each on a communicator of its own, or with WRONG
 * both on the same one; then one thread after the other on the same one. */
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static MPI_Comm comms[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int turn;

static void* work(void* given) {
    const int thread = *(int*)given;
    int one = 1, sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comms[WRONG ? 0 : thread]);
    for (int done = 0; !done;) {
        pthread_mutex_lock(&mutex);
        if (turn == thread) { /* in the same order in all ranks */
            MPI_Barrier(MPI_COMM_WORLD);
            ++turn;
            done = 1;
        }
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(int argc, char** argv) {
    int provided, rank, value, numbers[2] = {0, 1};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    pthread_t threads[2];
    if (rank == 1) { /* when both threads of rank 0 are there */
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < 2; ++i) {
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    }
    if (rank == 0) {
        sleep(1); /* while they come to their collectives */
        MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    for (int i = 0; i < 2; ++i) {
        pthread_join(threads[i], NULL);
    }
    MPI_Comm_free(&comms[0]);
    MPI_Comm_free(&comms[1]);
    MPI_Finalize();
    return 0;
}
