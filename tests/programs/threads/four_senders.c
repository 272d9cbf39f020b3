/* DAMPI-TEST
 *   np: 2
 *   expect: incomplete
 *   central: refused MPI_Init_thread
 *   options: --max-interleavings 3
 * Four threads of each rank send, receive and wait for any of their requests at the same time, each on a communicator
 * of its own, and polls in between: everything arrives, and guided runs do not diverge.
 */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>

enum { threads = 4, rounds = 10, requests = 4 };

static MPI_Comm comms[threads];
static int rank;

static void* exchange(void* comm_pointer) {
    const MPI_Comm comm = *(MPI_Comm*)comm_pointer;
    for (int round = 0; round < rounds; ++round) {
        int sent[requests], received[requests], flag;
        MPI_Request all[2 * requests];
        for (int i = 0; i < requests; ++i) {
            MPI_Irecv(&received[i], 1, MPI_INT, 1 - rank, i, comm, &all[i]);
        }
        for (int i = 0; i < requests; ++i) {
            sent[i] = 100 * round + i;
            MPI_Isend(&sent[i], 1, MPI_INT, 1 - rank, i, comm, &all[requests + i]);
        }
        for (int left = 2 * requests; left > 0; --left) {
            int which;
            MPI_Waitany(2 * requests, all, &which, MPI_STATUS_IGNORE);
            assert(which != MPI_UNDEFINED);
        }
        for (int i = 0; i < requests; ++i) {
            assert(received[i] == 100 * round + i);
        }
        MPI_Iprobe(1 - rank, 99, comm, &flag, MPI_STATUS_IGNORE);
        assert(!flag);
    }
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
        pthread_create(&made[i], NULL, exchange, &comms[i]);
    }
    for (int i = 0; i < threads; ++i) {
        pthread_join(made[i], NULL);
        MPI_Comm_free(&comms[i]);
    }
    MPI_Finalize();
    return 0;
}
