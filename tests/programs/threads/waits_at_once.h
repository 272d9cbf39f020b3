/* Two threads wait at the same time, each for a request of its own, or with WRONG both for the same one. */
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static MPI_Request requests[2];
static volatile int begun;

static void await(MPI_Request* request) { MPI_Wait(request, MPI_STATUS_IGNORE); }

static void* work(void* none) {
    begun = 1;
    await(&requests[WRONG ? 0 : 1]);
    return none;
}

int main(int argc, char** argv) {
    int provided, rank, values[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_t thread;
        MPI_Irecv(&values[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&values[1], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[1]);
        pthread_create(&thread, NULL, work, NULL);
        while (!begun) {}
        MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        await(&requests[0]);
        pthread_join(thread, NULL);
        if (WRONG) {
            MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        }
    } else {
        MPI_Recv(values, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sleep(1); /* while both threads of rank 0 come to their calls */
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
