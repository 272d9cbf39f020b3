/* Updates of a table that is spread over the ranks, in the manner of HPC Challenge's RandomAccess: before each of its
 * updates a rank asks with MPI_Test whether a message with some of another's has come, by a wildcard receive; its own
 * are sent by the bucket. So it works between its polls, of which there are half a million. The argument is the number
 * of updates of each rank. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ENTRIES = 1 << 16, BUCKET = 512, MOST_RANKS = 64, UPDATES = 0, DONE = 1 };

static unsigned long table[ENTRIES], buckets[MOST_RANKS][BUCKET], received[BUCKET], sent[BUCKET];
static int filled[MOST_RANKS];
static int rank, ranks, running;
static MPI_Request incoming, outgoing = MPI_REQUEST_NULL;

static void receive(void) {
    MPI_Irecv(received, BUCKET, MPI_UNSIGNED_LONG, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &incoming);
}

/* Takes one message, if there is any. */
static void take(void) {
    int flag, count;
    MPI_Status status;
    MPI_Test(&incoming, &flag, &status);
    if (!flag) return;
    if (status.MPI_TAG == DONE) running--;
    MPI_Get_count(&status, MPI_UNSIGNED_LONG, &count);
    for (int i = 0; i < count; i++) table[received[i] % ENTRIES] ^= received[i];
    if (running > 0) receive();
}

static void send_bucket(int to) {
    for (int done = outgoing == MPI_REQUEST_NULL; !done;) {
        MPI_Test(&outgoing, &done, MPI_STATUS_IGNORE);
        if (running > 0) take();
    }
    for (int i = 0; i < filled[to]; i++) sent[i] = buckets[to][i];
    MPI_Isend(sent, filled[to], MPI_UNSIGNED_LONG, to, UPDATES, MPI_COMM_WORLD, &outgoing);
    filled[to] = 0;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks > MOST_RANKS) MPI_Abort(MPI_COMM_WORLD, 2);
    const long updates = argc > 1 ? atol(argv[1]) : 1000;
    unsigned long value = 88172645463325252UL + (unsigned long)rank;
    running = ranks - 1;
    if (running > 0) receive();
    for (long i = 0; i < updates; i++) {
        if (running > 0) take();
        value ^= value << 13, value ^= value >> 7, value ^= value << 17;
        const int owner = (int)(value / ENTRIES % (unsigned long)ranks);
        if (owner == rank) {
            table[value % ENTRIES] ^= value;
        } else {
            buckets[owner][filled[owner]++] = value;
            if (filled[owner] == BUCKET) send_bucket(owner);
        }
    }
    for (int to = 0; to < ranks; to++)
        if (filled[to] > 0) send_bucket(to);
    MPI_Wait(&outgoing, MPI_STATUS_IGNORE);
    for (int to = 0; to < ranks; to++)
        if (to != rank) MPI_Send(NULL, 0, MPI_UNSIGNED_LONG, to, DONE, MPI_COMM_WORLD);
    while (running > 0) take();
    unsigned long sum = 0, all = 0;
    for (int i = 0; i < ENTRIES; i++) sum ^= table[i];
    MPI_Reduce(&sum, &all, 1, MPI_UNSIGNED_LONG, MPI_BXOR, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("sum %lu\n", all);
    MPI_Finalize();
    return 0;
}
