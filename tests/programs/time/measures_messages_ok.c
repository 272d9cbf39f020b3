/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 * A benchmark that exchanges half as many messages again until they take long enough to be measured, in a program whose
 * time is virtual, since it polls elsewhere: messages take time, or it would go on for ever.
 */
#include <assert.h>
#include <mpi.h>

enum { SHORTEST = 10 }; /* ticks of the clock */

static int ping(int count) {
    const double begin = MPI_Wtime();
    for (int i = 0; i < count; i++) {
        MPI_Send(&i, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(&i, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return MPI_Wtime() - begin >= SHORTEST * MPI_Wtick();
}

int main(int argc, char** argv) {
    int rank, value, done = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int count = 2; !done; count += count / 2) {
        assert(count < 1000);
        if (rank == 0) {
            done = ping(count);
        } else {
            for (int i = 0; i < count; i++) {
                MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
            }
        }
        MPI_Bcast(&done, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Irecv(&value, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &request);
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD);
    for (done = 0; !done;) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
