/* Messages and collectives of every kind that is followed, for so many SECONDS (the first argument), in an order that
 * the ranks have agreed on by a seed; so that at each moment some wait for others, and none for ever. Prints what it
 * has done. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { WORDS = 40000, KINDS = 12 };

static int rank, size;
static unsigned state;

static unsigned next(unsigned limit) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % limit;
}

static void pause_now_and_then(unsigned chance) {
    /* Each rank another one. */
    if ((state ^ (unsigned)rank * 2654435761u) % chance == 0) usleep(1000 * (1 + (unsigned)rank));
}

static void all_to_one(MPI_Comm comm, int words, int tag, int named) {
    static int data[WORDS];
    int own, members;
    MPI_Comm_rank(comm, &own);
    MPI_Comm_size(comm, &members);
    if (own == 0) {
        for (int i = 1; i < members; ++i) {
            MPI_Status status;
            MPI_Recv(data, words, MPI_INT, named ? i : MPI_ANY_SOURCE, named % 2 ? tag : MPI_ANY_TAG, comm,
                     named ? MPI_STATUS_IGNORE : &status);
        }
    } else {
        MPI_Send(data, words, MPI_INT, 0, tag, comm);
    }
}

static void ring(MPI_Comm comm, int words, int tag, int way) {
    static int out[WORDS], in[WORDS], in2[WORDS];
    int own, members;
    MPI_Request requests[4] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Comm_rank(comm, &own);
    MPI_Comm_size(comm, &members);
    const int right = (own + 1) % members, left = (own + members - 1) % members;
    switch (way) {
        case 0:
            MPI_Sendrecv(out, words, MPI_INT, right, tag, in, words, MPI_INT, left, tag, comm, MPI_STATUS_IGNORE);
            break;
        case 1:
            MPI_Irecv(in, words, MPI_INT, left, tag, comm, &requests[0]);
            MPI_Irecv(in2, words, MPI_INT, left, tag, comm, &requests[1]);
            MPI_Isend(out, words, MPI_INT, right, tag, comm, &requests[2]);
            MPI_Issend(out, words, MPI_INT, right, tag, comm, &requests[3]);
            MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
            break;
        case 2:
            MPI_Irecv(in, words, MPI_INT, MPI_ANY_SOURCE, tag, comm, &requests[0]);
            MPI_Issend(out, words, MPI_INT, right, tag, comm, &requests[1]);
            for (int i = 0; i < 2; ++i) {
                int index;
                MPI_Status status;
                MPI_Waitany(2, requests, &index, &status);
            }
            break;
        case 3:
            MPI_Send_init(out, words, MPI_INT, right, tag, comm, &requests[0]);
            MPI_Recv_init(in, words, MPI_INT, left, tag, comm, &requests[1]);
            for (int i = 0; i < 3; ++i) {
                MPI_Startall(2, requests);
                MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
            }
            MPI_Request_free(&requests[0]);
            MPI_Request_free(&requests[1]);
            break;
        default:
            MPI_Irecv(in, words, MPI_INT, left, MPI_ANY_TAG, comm, &requests[0]);
            pause_now_and_then(2);
            MPI_Ssend(out, words, MPI_INT, right, tag, comm);
            for (int done = 0; !done;) MPI_Test(&requests[0], &done, MPI_STATUS_IGNORE);
    }
}

static void probed(MPI_Comm comm, int words, int tag) {
    static int data[WORDS];
    int own, members;
    MPI_Comm_rank(comm, &own);
    MPI_Comm_size(comm, &members);
    if (own == members - 1) {
        for (int i = 1; i < members; ++i) {
            MPI_Status status;
            MPI_Message message;
            if (i % 2) {
                MPI_Probe(MPI_ANY_SOURCE, tag, comm, &status);
                MPI_Recv(data, words, MPI_INT, status.MPI_SOURCE, tag, comm, MPI_STATUS_IGNORE);
            } else {
                MPI_Mprobe(MPI_ANY_SOURCE, tag, comm, &message, &status);
                MPI_Mrecv(data, words, MPI_INT, &message, MPI_STATUS_IGNORE);
            }
        }
    } else {
        MPI_Ssend(data, words, MPI_INT, members - 1, tag, comm);
    }
}

static void collectives(MPI_Comm comm, int words) {
    static int data[WORDS], more[WORDS];
    int members, own;
    MPI_Comm_size(comm, &members);
    MPI_Comm_rank(comm, &own);
    const int root = (int)next((unsigned)members);
    MPI_Request request;
    switch (next(8)) {
        case 0:
            MPI_Barrier(comm);
            break;
        case 1:
            MPI_Bcast(data, words, MPI_INT, root, comm);
            break;
        case 2:
            MPI_Reduce(data, more, words, MPI_INT, MPI_SUM, root, comm);
            break;
        case 3:
            MPI_Allreduce(MPI_IN_PLACE, data, words, MPI_INT, MPI_MAX, comm);
            break;
        case 4:
            MPI_Scan(data, more, words, MPI_INT, MPI_SUM, comm);
            break;
        case 5:
            MPI_Gather(data, 10, MPI_INT, more, 10, MPI_INT, root, comm);
            break;
        case 6:
            MPI_Ibarrier(comm, &request);
            pause_now_and_then(3);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            break;
        default:
            MPI_Iallreduce(data, more, words, MPI_INT, MPI_SUM, comm, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char** argv) {
    long rounds = 0;
    MPI_Init(&argc, &argv);
    const double until = MPI_Wtime() + (argc > 1 ? atof(argv[1]) : 1);
    state = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int go_on = 1; go_on; ++rounds) {
        MPI_Comm comm = MPI_COMM_WORLD;
        const unsigned way = next(4), parts = 1 + next(2), kind = next(KINDS), tag = next(5);
        const int words = next(3) == 0 ? WORDS : 1 + (int)next(50);
        if (way == 0) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        if (way == 1) MPI_Comm_split(MPI_COMM_WORLD, rank % (int)parts, size - rank, &comm);
        pause_now_and_then(20);
        if (kind < 2)
            all_to_one(comm, words, (int)tag, (int)next(3));
        else if (kind < 7)
            ring(comm, words, (int)tag, (int)kind - 2);
        else if (kind == 7)
            probed(comm, words, (int)tag);
        else
            collectives(comm, words);
        /* What a receive from anybody takes must not be of the next round. */
        if (kind < 2 || kind == 4 || kind == 7) MPI_Barrier(comm);
        if (comm != MPI_COMM_WORLD) MPI_Comm_free(&comm);
        if (rounds % 64 == 63) {
            go_on = MPI_Wtime() < until;
            MPI_Bcast(&go_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
        }
    }
    if (rank == 0) printf("%ld rounds\n", rounds);
    MPI_Finalize();
    return 0;
}
