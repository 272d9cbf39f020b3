/* A search through a graph, level by level, in the manner of the Graph500 reference: each process owns some vertices,
 * has persistent receives from anybody open and polls them by MPI_Testany; edges that lead to vertices of others are
 * gathered into packets, which are posted by MPI_Isend and tested now and then. At a level's end each process tells the
 * others how many packets it has sent them in this level, handles what comes until it has all that it was told of, and
 * MPI_Allreduce says whether there is another level. Each process searches by itself as well, and compares. Arguments:
 * vertices (32), for BUG 2 seconds (5).
 *
 * -DBUG=n seeds a bug (0: none); each shows only for some orders of messages, 2 only when a process gives up at a
 * moment at which it practically never does:
 *   1      : a level is taken for over when everybody has said that it is, though the receive that has a packet may be
 *            reported after that which has these words
 *   2 time : a level is taken for over when nothing came for a while */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef BUG
#define BUG 0
#endif

enum { EDGES = 1, LEVEL_DONE, RECEIVES = 4, PACKET = 4, DEGREE = 3, MOST = 1024, MOST_PROCESSES = 64, NOT_YET = -1 };

/* Of edges: `count` vertices to visit; of a level's end: the number of packets. */
typedef struct {
    int count, vertex[PACKET];
} Packet;

typedef struct {
    Packet filling, posted;
    MPI_Request request;
    int packets; /* in this level */
} Outgoing;

static int rank, size, vertices;
static double seconds;

static int level_of[MOST]; /* of own vertices */
static int now[MOST], next[MOST], now_count, next_count;

static Packet received[RECEIVES];
static MPI_Request receives[RECEIVES];
static Outgoing to[MOST_PROCESSES];
static int came, announced, done; /* packets, and processes that have told, in this level */

static int owner_of(int vertex) { return vertex % size; }
static int neighbour(int vertex, int i) { return (vertex * (i + 2) + 3 * i + 1) % vertices; }

static void visit(int vertex, int level) {
    if (level_of[vertex] == NOT_YET) {
        level_of[vertex] = level;
        next[next_count++] = vertex;
    }
}

/* Looks once for what has come. */
static int poll(int level) {
    int which, flag;
    MPI_Status status;
    MPI_Testany(RECEIVES, receives, &which, &flag, &status);
    if (!flag) {
        return 0;
    }
    const Packet* packet = &received[which];
    if (status.MPI_TAG == LEVEL_DONE) {
        announced += packet->count;
        done++;
    } else {
        for (int i = 0; i < packet->count; i++) {
            visit(packet->vertex[i], level);
        }
        came++;
    }
    MPI_Start(&receives[which]);
    return 1;
}

static void post(Outgoing* out, int process, int level) {
    for (int through = 0; !through;) {
        MPI_Test(&out->request, &through, MPI_STATUS_IGNORE);
        if (!through) {
            poll(level); /* nobody waits for ever for each other */
        }
    }
    out->posted = out->filling;
    out->filling.count = 0;
    out->packets++;
    MPI_Isend(&out->posted, (int)sizeof(Packet), MPI_BYTE, process, EDGES, MPI_COMM_WORLD, &out->request);
}

static void follow(int vertex, int level) {
    for (int i = 0; i < DEGREE; i++) {
        const int other = neighbour(vertex, i), process = owner_of(other);
        if (process == rank) {
            visit(other, level);
            continue;
        }
        Packet* packet = &to[process].filling;
        packet->vertex[packet->count++] = other;
        if (packet->count == PACKET) {
            post(&to[process], process, level);
        }
    }
}

static void end_level(int level) {
    Packet words[MOST_PROCESSES];
    MPI_Request requests[MOST_PROCESSES];
    int count = 0;
    for (int process = 0; process < size; process++) {
        if (process != rank) {
            if (to[process].filling.count > 0) {
                post(&to[process], process, level);
            }
            words[count] = (Packet){.count = to[process].packets};
            MPI_Isend(&words[count], (int)sizeof(Packet), MPI_BYTE, process, LEVEL_DONE, MPI_COMM_WORLD,
                      &requests[count]);
            to[process].packets = 0;
            count++;
        }
    }
    double last = BUG == 2 ? MPI_Wtime() : 0;
    while (done < size - 1 || (BUG != 1 && came < announced)) {
        if (poll(level)) {
            last = BUG == 2 ? MPI_Wtime() : 0;
        } else if (BUG == 2 && MPI_Wtime() - last > seconds) {
            break;
        }
    }
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    came -= announced;
    announced = 0;
    done -= size - 1;
}

/* Returns how many vertices were found. */
static int search(void) {
    for (int v = 0; v < vertices; v++) {
        level_of[v] = NOT_YET;
    }
    if (owner_of(0) == rank) {
        visit(0, 0);
    }
    int in_level = 1, found = 0;
    for (int level = 1; in_level > 0; level++) {
        found += in_level;
        now_count = next_count;
        for (int i = 0; i < now_count; i++) {
            now[i] = next[i];
        }
        next_count = 0;
        for (int i = 0; i < now_count; i++) {
            follow(now[i], level);
        }
        end_level(level);
        MPI_Allreduce(&next_count, &in_level, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    return found;
}

/* Without anybody's help. */
static int search_alone(int* level) {
    static int queue[MOST];
    int begin = 0, end = 0;
    for (int v = 0; v < vertices; v++) {
        level[v] = NOT_YET;
    }
    level[0] = 0;
    queue[end++] = 0;
    while (begin < end) {
        const int vertex = queue[begin++];
        for (int i = 0; i < DEGREE; i++) {
            const int other = neighbour(vertex, i);
            if (level[other] == NOT_YET) {
                level[other] = level[vertex] + 1;
                queue[end++] = other;
            }
        }
    }
    return end;
}

int main(int argc, char** argv) {
    static int expected[MOST];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    vertices = argc > 1 ? atoi(argv[1]) : 32;
    seconds = argc > 2 ? atof(argv[2]) : 5;
    if (vertices < 1 || vertices > MOST || size > MOST_PROCESSES) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int i = 0; i < RECEIVES; i++) {
        MPI_Recv_init(&received[i], (int)sizeof(Packet), MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                      &receives[i]);
    }
    MPI_Startall(RECEIVES, receives);
    for (int process = 0; process < size; process++) {
        to[process].request = MPI_REQUEST_NULL;
    }
    const int found = search();
    for (int process = 0; process < size; process++) {
        MPI_Wait(&to[process].request, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < RECEIVES; i++) {
        MPI_Cancel(&receives[i]);
        MPI_Wait(&receives[i], MPI_STATUS_IGNORE);
        MPI_Request_free(&receives[i]);
    }
    assert(found == search_alone(expected));
    for (int v = rank; v < vertices; v += size) {
        assert(level_of[v] == expected[v]);
    }
    if (rank == 0) {
        printf("%d of %d vertices found\n", found, vertices);
    }
    MPI_Finalize();
    return 0;
}
