/* Deadlocks of any number of ranks. The first argument says how: "recv", each rank receives from its neighbour;
 * "ssend", each sends to it synchronously; "any", each receives from anybody; "waitall", each waits for a receive and
 * a synchronous send; "barrier", all but rank 0 are in a barrier, rank 0 receives. Rank 0 is the last to block, after
 * a while in which the others have; it prints the time of day just before, in seconds. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

int main(int argc, char** argv) {
    int rank, size, mine = 0, other = 0;
    const char* how = argc > 1 ? argv[1] : "recv";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Barrier(MPI_COMM_WORLD);
    const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    if (rank == 0) {
        const struct timespec pause = {0, 200000000};
        struct timespec now;
        nanosleep(&pause, NULL);
        clock_gettime(CLOCK_REALTIME, &now);
        printf("%ld.%09ld\n", (long)now.tv_sec, now.tv_nsec);
        fflush(stdout);
    }
    if (strcmp(how, "ssend") == 0) {
        MPI_Ssend(&mine, 1, MPI_INT, next, 0, MPI_COMM_WORLD);
    } else if (strcmp(how, "any") == 0) {
        MPI_Recv(&other, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (strcmp(how, "waitall") == 0) {
        MPI_Request requests[2];
        MPI_Irecv(&other, 1, MPI_INT, previous, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Issend(&mine, 1, MPI_INT, next, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else if (strcmp(how, "barrier") == 0 && rank != 0) {
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        MPI_Recv(&other, 1, MPI_INT, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
