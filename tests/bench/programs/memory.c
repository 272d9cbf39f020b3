/* Does a rank's memory grow with the messages that it has sent and received? 2 ranks exchange messages of 8 bytes
 * without wildcards, in batches with blocking calls and batches with nonblocking ones, a barrier now and then.
 * Prints "memory/N KiB" after a tenth of the messages and after all: the largest peak resident size of a rank.
 * The argument is the number of messages in millions, 10 by default. */
#include "measure.h"

#include <stdlib.h>
#include <sys/resource.h>

enum { BATCH = 16 };

static void batch_blocking(int rank, int first, long* values) {
    for (int i = 0; i < BATCH; i++) {
        if (rank == first)
            MPI_Send(&values[i], 1, MPI_LONG, 1 - rank, i, MPI_COMM_WORLD);
        else
            MPI_Recv(&values[i], 1, MPI_LONG, 1 - rank, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void batch_nonblocking(int rank, int first, long* values) {
    MPI_Request requests[BATCH];
    MPI_Status statuses[BATCH];
    for (int i = 0; i < BATCH; i++) {
        if (rank == first)
            MPI_Isend(&values[i], 1, MPI_LONG, 1 - rank, i, MPI_COMM_WORLD, &requests[i]);
        else
            MPI_Irecv(&values[i], 1, MPI_LONG, 1 - rank, i, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Waitall(BATCH, requests, statuses);
}

static void report(long messages) {
    int rank;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    long own = usage.ru_maxrss, largest = 0;
    MPI_Reduce(&own, &largest, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        printf("memory/%ld %ld\n", messages, largest);
        fflush(stdout);
    }
}

int main(int argc, char** argv) {
    const long messages = (argc > 1 ? atol(argv[1]) : 10) * 1000000;
    long values[BATCH] = {0};
    int rank;
    MPI_Init(&argc, &argv);
    spread_out();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long done = 0;
    for (long round = 0; done < messages; round++) {
        for (int first = 0; first < 2; first++) {
            batch_blocking(rank, first, values);
            batch_nonblocking(rank, first, values);
        }
        if (round % 100 == 0) MPI_Barrier(MPI_COMM_WORLD);
        const long before = done;
        done += 4 * BATCH;
        if (before < messages / 10 && done >= messages / 10) report(messages / 10);
    }
    report(messages);
    MPI_Finalize();
    return 0;
}
