/* DAMPI-TEST
 *   np: 4
 *   expect: incomplete
 *   central: refused MPI_Init_thread
 * Three threads of each rank make intercommunicators between the same groups with the same tag, at the same time, each
 * from communicators of its own, and send messages over them: all of these are received.
 */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>

enum { threads = 3, rounds = 4 };

static MPI_Comm comms[threads];
static int rank;

static void* meet(void* comm_pointer) {
    const MPI_Comm comm = *(MPI_Comm*)comm_pointer;
    MPI_Comm local, between;
    MPI_Comm_split(comm, rank / 2, rank, &local);
    for (int round = 0; round < rounds; ++round) {
        int sent = 10 * round + rank, received = -1;
        MPI_Intercomm_create(local, 0, comm, rank < 2 ? 2 : 0, 5, &between);
        MPI_Sendrecv(&sent, 1, MPI_INT, rank % 2, 0, &received, 1, MPI_INT, rank % 2, 0, between, MPI_STATUS_IGNORE);
        assert(received == 10 * round + (rank + 2) % 4);
        MPI_Comm_free(&between);
    }
    MPI_Comm_free(&local);
    return NULL;
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_t made[threads];
    for (int i = 0; i < threads; ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    }
    for (int i = 0; i < threads; ++i) {
        pthread_create(&made[i], NULL, meet, &comms[i]);
    }
    for (int i = 0; i < threads; ++i) {
        pthread_join(made[i], NULL);
        MPI_Comm_free(&comms[i]);
    }
    MPI_Finalize();
    return 0;
}
