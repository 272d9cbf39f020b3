/* DAMPI-TEST
 *   np: 3
 *   options: --max-interleavings 6 --explore-polls 0
 *   expect: incomplete
 * Workers ask a server for tasks. It polls for a finished send and for requests in turn, and takes the work for done
 * when nothing has come for five seconds: in the manner of ADLB. That time-out is no livelock.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>
#include <unistd.h>

enum { ask = 1, task = 2, tasks = 3 };

static void serve(int workers) {
    int given = 0, answers[16], asked = 0;
    double latest = MPI_Wtime();
    MPI_Request sent = MPI_REQUEST_NULL;
    while (MPI_Wtime() < latest + 5) {
        int flag = 0;
        MPI_Status status;
        if (sent != MPI_REQUEST_NULL) MPI_Test(&sent, &flag, MPI_STATUS_IGNORE);
        if (sent != MPI_REQUEST_NULL) continue;
        MPI_Iprobe(MPI_ANY_SOURCE, ask, MPI_COMM_WORLD, &flag, &status);
        if (!flag) continue;
        MPI_Recv(NULL, 0, MPI_INT, status.MPI_SOURCE, ask, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        answers[asked] = given < tasks ? given++ : -1;
        MPI_Isend(&answers[asked++], 1, MPI_INT, status.MPI_SOURCE, task, MPI_COMM_WORLD, &sent);
        latest = MPI_Wtime();
    }
    if (sent != MPI_REQUEST_NULL) MPI_Wait(&sent, MPI_STATUS_IGNORE);
    assert(given == tasks && asked == tasks + workers);
}

int main(void) {
    int rank, size, got;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        serve(size - 1);
    } else {
        do {
            MPI_Send(NULL, 0, MPI_INT, 0, ask, MPI_COMM_WORLD);
            MPI_Recv(&got, 1, MPI_INT, 0, task, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (got >= 0) sleep(1); /* it works */
        } while (got >= 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
