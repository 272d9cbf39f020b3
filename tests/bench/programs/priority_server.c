/* A server that polls by MPI_Iprobe for messages of three priorities in a cycle, and handles the first that is there:
 * a search for the least of some numbers by branch and bound. Clients ask for jobs (LOW), tell each bound that is
 * better than all that they know at once (HIGH), and report at a job's end how many bounds they have told so far
 * (MIDDLE). The server answers with the best bound and a job, or that there is none. Arguments: jobs (4), for BUG 4
 * seconds (5).
 *
 * -DBUG=n seeds a bug (0: none); each shows only for some orders of messages, 3 and 4 only when the server gives up at
 * a moment at which it practically never does:
 *   1      : the server takes it for certain that bounds have come before the report of their job, since it asks for
 * them first: they come between two questions 2 count: when the server has asked in vain so often, it waits for
 * somebody who asks for a job; who has one reports first, and waits for the receipt 3 count: when the server has asked
 * in vain so often, it hands out jobs that were not reported again 4 time : when no report came for a while, the server
 * goes on without the jobs that are missing 5      : clients that ask while the others still work are told at once that
 * there is no job left, also when the bound that they were told last is not the best */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef BUG
#define BUG 0
#endif
#ifndef PATIENCE
#define PATIENCE 1000 /* of BUGs 2 and 3: milliseconds */
#endif

enum { HIGH = 1, MIDDLE, LOW, JOB, RECEIPT, NUMBERS = 6, MOST = 64 };

typedef struct {
    int job, bound, told;
} Message;

static int rank, size, jobs;
static double seconds;

/* The least is in the first job. */
static int number_of(int job, int i) { return job * 100 + (i * 37 + 17) % 50; }

static void compute(int milliseconds) {
    const struct timespec time = {0, 1000000L * milliseconds};
    nanosleep(&time, NULL);
}

static void send(Message message, int destination, int tag) {
    MPI_Send(&message, 3, MPI_INT, destination, tag, MPI_COMM_WORLD);
}

static Message receive(int source, int tag, MPI_Status* status) {
    Message message;
    MPI_Recv(&message, 3, MPI_INT, source, tag, MPI_COMM_WORLD, status);
    return message;
}

/* ---- Clients */

static void client(void) {
    int best = 1000, told = 0;
    for (;;) {
        send((Message){0}, 0, LOW);
        const Message given = receive(0, JOB, MPI_STATUS_IGNORE);
        if (given.bound < best) {
            best = given.bound;
        }
        if (given.job < 0) {
            break;
        }
        for (int i = 0; i < NUMBERS; i++) {
            if (number_of(given.job, i) < best) {
                best = number_of(given.job, i);
                told++;
                send((Message){.bound = best}, 0, HIGH);
            }
        }
        compute(20);
        send((Message){.job = given.job, .bound = best, .told = told}, 0, MIDDLE);
        receive(0, RECEIPT, MPI_STATUS_IGNORE);
    }
    int least = 1000;
    for (int job = 0; job < jobs; job++) {
        for (int i = 0; i < NUMBERS; i++) {
            if (number_of(job, i) < least) {
                least = number_of(job, i);
            }
        }
    }
    assert(best == least);
}

/* ---- The server */

static int next_job, reported, gone, bound = 1000;
static int heard[MOST], told[MOST]; /* of each client: bounds that came, and that it has told by its last report */
static int holder[MOST];            /* of each job; 0: nobody, -1: it was reported */
static int waiting[MOST];

/* All bounds of the jobs that were reported have come. */
static int knows_all(void) {
    for (int c = 1; c < size; c++) {
        if (heard[c] < told[c]) {
            return 0;
        }
    }
    return 1;
}

static void give(int client) {
    int job = next_job < jobs ? next_job++ : -1;
    if (job < 0 && !(reported >= jobs && knows_all()) && BUG != 5) {
        waiting[client] = 1;
        return;
    }
    waiting[client] = 0;
    gone += job < 0;
    if (job >= 0) {
        holder[job] = client;
    }
    send((Message){.job = job, .bound = bound}, client, JOB);
}

static void handle(int tag, int source) {
    MPI_Status status;
    const Message message = receive(source, tag, &status);
    if (tag == HIGH) {
        heard[source]++;
        if (message.bound < bound) {
            bound = message.bound;
        }
    } else if (tag == MIDDLE) {
        assert(holder[message.job] != -1);
        if (BUG == 1) {
            assert(bound <= message.bound);
        }
        told[source] = message.told;
        holder[message.job] = -1;
        reported++;
        send((Message){0}, source, RECEIPT);
    } else {
        give(source);
    }
}

static int poll_one(int tag) {
    int flag;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &flag, &status);
    if (flag) {
        handle(tag, status.MPI_SOURCE);
    }
    return flag;
}

/* BUG 2 to 4: nothing came. */
static void lose_patience(void) {
    if (BUG == 2) {
        MPI_Status status;
        receive(MPI_ANY_SOURCE, LOW, &status);
        give(status.MPI_SOURCE);
    } else if (BUG == 3) {
        for (int c = 1; c < size; c++) {
            for (int job = 0; waiting[c] && job < jobs; job++) {
                if (holder[job] > 0) {
                    waiting[c] = 0;
                    holder[job] = c;
                    send((Message){.job = job, .bound = bound}, c, JOB);
                }
            }
        }
    } else {
        reported = jobs;
    }
}

static void serve(void) {
    int in_vain = 0;
    double since = BUG == 4 ? MPI_Wtime() : 0;
    while (gone < size - 1) {
        if (poll_one(HIGH) || poll_one(MIDDLE) || poll_one(LOW)) {
            in_vain = 0;
            if (BUG == 4) {
                since = MPI_Wtime();
            }
        } else if (BUG == 2 || BUG == 3) {
            compute(1);
            if (++in_vain >= PATIENCE) {
                lose_patience();
                in_vain = 0;
            }
        } else if (BUG == 4 && MPI_Wtime() - since > seconds) {
            lose_patience();
        }
        if (reported >= jobs && knows_all()) {
            for (int c = 1; c < size; c++) {
                if (waiting[c]) {
                    give(c);
                }
            }
        }
    }
    printf("%d jobs, the least is %d\n", reported, bound);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    jobs = argc > 1 ? atoi(argv[1]) : 4;
    seconds = argc > 2 ? atof(argv[2]) : 5;
    if (size < 2 || size > MOST || jobs > MOST) {
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
