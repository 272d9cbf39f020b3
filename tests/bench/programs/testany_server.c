/* A server that polls by MPI_Testany over persistent receives from anybody, in the manner of the active messages of the
 * Graph500 reference: the clients gather updates of a histogram into packets, post these with MPI_Isend, flush what is
 * left at the end of a round, and say how many packets the round had. The server adds, does some work of its own in
 * between, and has all of a round when it has as many packets as were announced; then it answers everybody, and the
 * next round begins. Arguments: updates per client and round (3), rounds (2), for BUG 4 seconds (5).
 *
 * -DBUG=n seeds a bug (0: none); each shows only for some orders of messages, 3 and 4 only when the server gives up at
 * a moment at which it practically never does:
 *   1      : a round is taken for over when everybody has said how many packets it had, though the receive that has the
 *            last one may be reported after that which has the announcement
 *   2      : the client that is always the last begins the next round without the answer to this one: when it is not
 * the last, the sum has updates of the next round 3 count: the round is taken for over when the server has polled in
 * vain so often 4 time : the round is taken for over when nothing came for a while */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef BUG
#define BUG 0
#endif
#ifndef PATIENCE
#define PATIENCE 1000000 /* of BUG 3 */
#endif

enum { UPDATES = 1, ANNOUNCED, ANSWER, RECEIVES = 8, PACKET = 2, SLOTS = 4, MOST_CLIENTS = 64, MOST_ROUNDS = 100 };
enum { OWN_WORK = 20 };

/* Of updates: `count` slots; of an announcement: the number of packets. */
typedef struct {
    int count, slot[PACKET];
} Packet;

static int rank, size, updates, rounds;
static double seconds;

/* ---- Clients */

static Packet filling, posted;
static MPI_Request posted_request = MPI_REQUEST_NULL;
static int packets;

static void compute(int milliseconds) {
    const struct timespec time = {0, 1000000L * milliseconds};
    nanosleep(&time, NULL);
}

static void flush(void) {
    int through = 0;
    while (!through) {
        MPI_Test(&posted_request, &through, MPI_STATUS_IGNORE);
    }
    posted = filling;
    filling.count = 0;
    packets++;
    MPI_Isend(&posted, (int)sizeof posted, MPI_BYTE, 0, UPDATES, MPI_COMM_WORLD, &posted_request);
}

static void client(void) {
    MPI_Request answers[MOST_ROUNDS];
    int sums[MOST_ROUNDS];
    for (int round = 0; round < rounds; round++) {
        int here = BUG == 2 && rank == size - 1;
        MPI_Irecv(&sums[round], 1, MPI_INT, 0, ANSWER, MPI_COMM_WORLD, &answers[round]);
        packets = 0;
        for (int i = 0; i < updates; i++) {
            filling.slot[filling.count++] = (rank + i + round) % SLOTS;
            if (filling.count == PACKET) {
                flush();
            }
        }
        if (filling.count > 0) {
            flush();
        }
        compute(here ? 60 : 20);
        const Packet announcement = {.count = packets};
        MPI_Send(&announcement, (int)sizeof announcement, MPI_BYTE, 0, ANNOUNCED, MPI_COMM_WORLD);
        while (!here) {
            MPI_Test(&answers[round], &here, MPI_STATUS_IGNORE);
        }
    }
    MPI_Waitall(rounds, answers, MPI_STATUSES_IGNORE);
    MPI_Wait(&posted_request, MPI_STATUS_IGNORE);
    for (int round = 0; round < rounds; round++) {
        assert(sums[round] == (round + 1) * updates * (size - 1));
    }
}

/* ---- The server */

static Packet received[RECEIVES];
static MPI_Request receives[RECEIVES], sends[MOST_CLIENTS];
static int histogram[SLOTS];
static int came, expected, announced; /* packets, and clients, in this round */
static int done_of_own_work, own_work;

static int is_over(int in_vain, double since) {
    if (BUG == 3 && in_vain >= PATIENCE) {
        return 1;
    }
    if (BUG == 4 && MPI_Wtime() - since > seconds) {
        return 1;
    }
    return announced == size - 1 && (came >= expected || BUG == 1);
}

static void handle(const Packet* packet, int tag) {
    if (tag == ANNOUNCED) {
        expected += packet->count;
        announced++;
        return;
    }
    for (int i = 0; i < packet->count; i++) {
        histogram[packet->slot[i]]++;
    }
    came++;
}

static void work(void) {
    if (done_of_own_work < OWN_WORK) {
        own_work += done_of_own_work++;
    }
}

static void serve_round(void) {
    int in_vain = 0;
    double since = BUG == 4 ? MPI_Wtime() : 0;
    while (!is_over(in_vain, since)) {
        int which, flag, through;
        MPI_Status status;
        MPI_Testany(RECEIVES, receives, &which, &flag, &status);
        if (flag) {
            handle(&received[which], status.MPI_TAG);
            MPI_Start(&receives[which]);
            in_vain = 0;
            if (BUG == 4) {
                since = MPI_Wtime();
            }
        } else {
            MPI_Testall(size - 1, sends, &through, MPI_STATUSES_IGNORE);
            work();
            in_vain += BUG == 3;
        }
    }
    came -= expected;
    announced -= size - 1;
    expected = 0;
}

static void serve(void) {
    for (int i = 0; i < RECEIVES; i++) {
        MPI_Recv_init(&received[i], (int)sizeof(Packet), MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                      &receives[i]);
    }
    for (int c = 0; c < size - 1; c++) {
        sends[c] = MPI_REQUEST_NULL;
    }
    MPI_Startall(RECEIVES, receives);
    int sum = 0;
    for (int round = 0; round < rounds; round++) {
        serve_round();
        MPI_Waitall(size - 1, sends, MPI_STATUSES_IGNORE);
        sum = 0;
        for (int i = 0; i < SLOTS; i++) {
            sum += histogram[i];
        }
        for (int c = 1; c < size; c++) {
            MPI_Isend(&sum, 1, MPI_INT, c, ANSWER, MPI_COMM_WORLD, &sends[c - 1]);
        }
    }
    MPI_Waitall(size - 1, sends, MPI_STATUSES_IGNORE);
    while (done_of_own_work < OWN_WORK) {
        work();
    }
    for (int i = 0; i < RECEIVES; i++) {
        MPI_Cancel(&receives[i]);
        MPI_Wait(&receives[i], MPI_STATUS_IGNORE);
        MPI_Request_free(&receives[i]);
    }
    printf("%d updates, own work %d\n", sum, own_work);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    updates = argc > 1 ? atoi(argv[1]) : 3;
    rounds = argc > 2 ? atoi(argv[2]) : 2;
    seconds = argc > 3 ? atof(argv[3]) : 5;
    if (size < 2 || size > MOST_CLIENTS || rounds > MOST_ROUNDS) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (rank == 0) {
        serve();
    } else {
        client();
    }
    MPI_Finalize();
    return 0;
}
