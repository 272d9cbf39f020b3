/* DAMPI-TEST
 *   np: 2
 *   expect: incomplete
 *   central: refused MPI_Init_thread
 * A thread waits for a semaphore that nobody but a signal handler posts, much later. Until then all others wait in MPI
 * for what that thread sends: no deadlock.
 */
#include <assert.h>
#include <errno.h>
#include <mpi.h>
#include <semaphore.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static sem_t rung;

static void on_alarm(int signal) {
    (void)signal;
    sem_post(&rung);
}

static void* send_when_rung(void* nothing) {
    while (sem_wait(&rung) != 0) {
        assert(errno == EINTR);
    }
    int value = 1;
    MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    return nothing;
}

int main(void) {
    int rank, value = 1, provided;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    assert(provided == MPI_THREAD_MULTIPLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_t sender;
        sem_init(&rung, 0, 0);
        signal(SIGALRM, on_alarm);
        pthread_create(&sender, NULL, send_when_rung, NULL);
        alarm(2);
        MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        pthread_join(sender, NULL);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
