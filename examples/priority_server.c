/* DAMPI-TEST
 *   np: 3
 *   options: --max-interleavings 30 --no-message-leaks
 *   expect: crash, incomplete
 * A server that polls for messages of three priorities in a cycle, and handles the first that is there. A client says
 * that it has found a better value (HIGH) before it says that it is done (MIDDLE) and asks for more (LOW). The server
 * believes that it has the value when the client is done, since it asks for values first; but both may have come just
 * after it had. A plain run hardly shows it. Twin: priority_server_ok.
 */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { HIGH = 1, MIDDLE, LOW, ANSWER, JOBS = 2 };

static int best, given, done, gone;

static void handle(int source, int tag) {
    int value;
    MPI_Recv(&value, 1, MPI_INT, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (tag == HIGH) {
        if (value > best) best = value;
    } else if (tag == MIDDLE) {
        assert(value <= best); /*@*/
        done++;
    } else {
        int job = given < JOBS ? ++given : 0;
        gone += job == 0;
        MPI_Send(&job, 1, MPI_INT, source, ANSWER, MPI_COMM_WORLD);
    }
}

static int poll_one(int tag) {
    int flag;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &flag, &status);
    if (flag) handle(status.MPI_SOURCE, tag);
    return flag;
}

static void client(void) {
    for (;;) {
        int job = 0;
        MPI_Send(&job, 1, MPI_INT, 0, LOW, MPI_COMM_WORLD);
        MPI_Recv(&job, 1, MPI_INT, 0, ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (job == 0) return;
        int value = 10 * job;
        MPI_Send(&value, 1, MPI_INT, 0, HIGH, MPI_COMM_WORLD);
        usleep(20000); /* some more work */
        MPI_Send(&value, 1, MPI_INT, 0, MIDDLE, MPI_COMM_WORLD);
    }
}

int main(int argc, char** argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        while (gone < size - 1 || done < JOBS) {
            if (!poll_one(HIGH) && !poll_one(MIDDLE)) poll_one(LOW);
        }
        printf("%d jobs, the best value is %d\n", done, best);
    } else {
        client();
    }
    MPI_Finalize();
    return 0;
}
