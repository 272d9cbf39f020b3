/* Whether the patched MPICH hands over the values of dampi_mpich.h on every way that a message can take: all modes and
 * sizes, contiguous or not, to another rank and to oneself, received before it comes or after, probed, matched probed,
 * persistent. Two ranks. Prints what is wrong; exit status 1 then. */
#include "dampi_mpich.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <dlfcn.h>

enum { tag = 7, largest = 1 << 20 };

static int (*interface_of)(void);
static void (*set_value)(uint64_t);
static void (*bind_values)(MPI_Request, struct dampi_mpich_values*);
static uint64_t (*probed)(void);
static int (*wait_for)(int);
static uint64_t (*events)(void);
static void (*set_hook)(int (*)(void));

static int rank;
static int wrong;
static char sent[2 * largest];
static char received[2 * largest];

#define EXPECT(what, expected)                                                                               \
    do {                                                                                                     \
        const unsigned long long found_ = (what), expected_ = (expected);                                    \
        if (found_ != expected_) {                                                                           \
            printf("rank %d, line %d, %s: %s is %llu, not %llu\n", rank, __LINE__, situation, #what, found_, \
                   expected_);                                                                               \
            wrong = 1;                                                                                       \
        }                                                                                                    \
    } while (0)

static char situation[200];

static void* find(const char* name) {
    void* found = dlsym(RTLD_DEFAULT, name);
    if (found == NULL) {
        printf("the MPI library has no %s\n", name);
        exit(1);
    }
    return found;
}

/* Collectives carry nothing. */
static void together(void) {
    set_value(0);
    MPI_Barrier(MPI_COMM_WORLD);
}

enum mode { standard, synchronous, persistent_synchronous, ready, persistent, modes };

struct message {
    enum mode mode;
    int count;
    MPI_Datatype type;
    uint64_t name;    /* of the message */
    uint64_t posting; /* of the receive */
};

static MPI_Request start_send(const struct message* m, int to, struct dampi_mpich_values* values) {
    MPI_Request request = MPI_REQUEST_NULL;
    set_value(m->name);
    switch (m->mode) {
        case standard:
            MPI_Isend(sent, m->count, m->type, to, tag, MPI_COMM_WORLD, &request);
            break;
        case synchronous:
            MPI_Issend(sent, m->count, m->type, to, tag, MPI_COMM_WORLD, &request);
            break;
        case ready:
            MPI_Irsend(sent, m->count, m->type, to, tag, MPI_COMM_WORLD, &request);
            break;
        case persistent_synchronous:
            MPI_Ssend_init(sent, m->count, m->type, to, tag, MPI_COMM_WORLD, &request);
            MPI_Start(&request);
            break;
        default:
            MPI_Send_init(sent, m->count, m->type, to, tag, MPI_COMM_WORLD, &request);
            MPI_Startall(1, &request);
    }
    bind_values(request, values);
    set_value(0);
    return request;
}

static void end_send(const struct message* m, MPI_Request request, const struct dampi_mpich_values* values) {
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT(values->message, 0);
    if (m->mode == synchronous || m->mode == persistent_synchronous || values->receive != 0) {
        EXPECT(values->receive, m->posting); /* a buffered message has no answer */
    }
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
}

static MPI_Request start_receive(const struct message* m, int from, struct dampi_mpich_values* values) {
    MPI_Request request;
    set_value(m->posting);
    MPI_Irecv(received, m->count, m->type, m->name % 2 ? MPI_ANY_SOURCE : from, m->name % 3 ? tag : MPI_ANY_TAG,
              MPI_COMM_WORLD, &request);
    bind_values(request, values);
    set_value(0);
    return request;
}

static MPI_Request receive_probed(const struct message* m, int from, struct dampi_mpich_values* values) {
    MPI_Request request;
    if (m->name % 5 < 2) {
        MPI_Message matched;
        int flag = 0;
        if (m->name % 5 == 0) {
            MPI_Mprobe(from, tag, MPI_COMM_WORLD, &matched, MPI_STATUS_IGNORE);
        } else {
            while (!flag) MPI_Improbe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &flag, &matched, MPI_STATUS_IGNORE);
        }
        EXPECT(probed(), m->name);
        set_value(m->posting);
        MPI_Imrecv(received, m->count, m->type, &matched, &request);
        bind_values(request, values);
        set_value(0);
        return request;
    }
    if (m->name % 5 < 4) {
        if (m->name % 5 == 2) {
            MPI_Probe(from, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            int flag = 0;
            while (!flag) MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        }
        EXPECT(probed(), m->name);
    }
    return start_receive(m, from, values);
}

static void end_receive(const struct message* m, MPI_Request request, const struct dampi_mpich_values* values) {
    int flag = 0;
    while (!flag) {
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        if (!flag) wait_for(10);
    }
    EXPECT(values->message, m->name);
    EXPECT(values->receive, 0);
}

static void exchange(const struct message* m, int to_oneself, int posted_first) {
    struct dampi_mpich_values of_send = {0, 0}, of_receive = {0, 0};
    MPI_Request send, receive = MPI_REQUEST_NULL;
    snprintf(situation, sizeof situation, "mode %d, %d of size %s, %s, receive %s", (int)m->mode, m->count,
             m->type == MPI_CHAR ? "1" : "vector", to_oneself ? "self" : "other", posted_first ? "first" : "later");
    if (rank == 0 && posted_first) receive = start_receive(m, to_oneself ? 0 : 1, &of_receive);
    together();
    if (to_oneself && rank == 0) {
        send = start_send(m, 0, &of_send);
        if (!posted_first) receive = receive_probed(m, 0, &of_receive);
        end_receive(m, receive, &of_receive);
        end_send(m, send, &of_send);
    } else if (!to_oneself && rank == 0) {
        if (!posted_first) receive = receive_probed(m, 1, &of_receive);
        end_receive(m, receive, &of_receive);
    } else if (!to_oneself) {
        send = start_send(m, 0, &of_send);
        end_send(m, send, &of_send);
    }
    together();
}

static void every_way(void) {
    const int sizes[] = {0, 2, 16, 18, 4000, 100000, 200000, largest};
    uint64_t number = 1000;
    for (unsigned size = 0; size < sizeof sizes / sizeof *sizes; ++size) {
        for (int strided = 0; strided < 2; ++strided) {
            MPI_Datatype type = MPI_CHAR;
            if (strided) {
                MPI_Type_vector(sizes[size] / 2, 1, 2, MPI_CHAR, &type);
                MPI_Type_commit(&type);
            }
            for (int other = 0; other < modes * 4; ++other) {
                const int posted_first = other % 2, to_oneself = other / 2 % 2;
                const struct message m = {.mode = (enum mode)(other / 4),
                                          .count = strided ? 1 : sizes[size],
                                          .type = type,
                                          .name = ++number,
                                          .posting = number + 1000000};
                if (m.mode != ready || posted_first) exchange(&m, to_oneself, posted_first);
            }
            if (strided) MPI_Type_free(&type);
        }
    }
}

/* What is not bound, or no longer, is not written. */
static void unbound(void) {
    struct dampi_mpich_values values = {0, 0};
    char buffer[1000 + MPI_BSEND_OVERHEAD];
    MPI_Request request;
    strcpy(situation, "unbound");
    bind_values(MPI_REQUEST_NULL, &values);
    if (rank == 0) {
        set_value(5);
        MPI_Buffer_attach(buffer, sizeof buffer);
        MPI_Bsend_init(sent, 10, MPI_CHAR, 1, tag, MPI_COMM_WORLD, &request);
        MPI_Start(&request);
        bind_values(request, &values);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
        together();
        {
            int size;
            void* detached;
            MPI_Buffer_detach(&detached, &size);
        }
        set_value(6);
        MPI_Issend(sent, 10, MPI_CHAR, 1, tag, MPI_COMM_WORLD, &request);
        bind_values(request, &values);
        bind_values(request, NULL);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        EXPECT(values.receive, 0);
    } else {
        together();
        set_value(7);
        MPI_Irecv(received, 10, MPI_CHAR, 0, tag, MPI_COMM_WORLD, &request);
        bind_values(request, &values);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        EXPECT(values.message, 5);
        MPI_Recv(received, 10, MPI_CHAR, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    together();
}

/* Small messages to oneself are buffered; what stands behind a buffered send is started, too. */
static void as_the_package(void) {
    char buffer[100 + MPI_BSEND_OVERHEAD];
    MPI_Request requests[2];
    MPI_Status statuses[2];
    char got[2] = {0, 0};
    void* detached;
    int size;
    strcpy(situation, "as the package");
    sent[0] = 1;
    MPI_Send(sent, 1, MPI_CHAR, rank, tag, MPI_COMM_WORLD);
    MPI_Send(sent, 0, MPI_CHAR, rank, tag, MPI_COMM_WORLD);
    MPI_Recv(got, 1, MPI_CHAR, rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(NULL, 0, MPI_CHAR, rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT(got[0], 1);
    MPI_Buffer_attach(buffer, sizeof buffer);
    MPI_Bsend_init(sent, 1, MPI_CHAR, 1 - rank, tag, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(&got[1], 1, MPI_CHAR, 1 - rank, tag, MPI_COMM_WORLD, &requests[1]);
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, statuses);
    EXPECT(got[1], 1);
    MPI_Buffer_detach(&detached, &size);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    together();
}

static int hook_calls;
static int hook(void) {
    ++hook_calls;
    return 1;
}

/* The hook is called while there is nothing to do; waiting ends with what comes, and at the latest in time. */
static void idleness(void) {
    strcpy(situation, "idleness");
    if (rank == 0) {
        set_hook(hook);
        MPI_Barrier(MPI_COMM_WORLD);
        set_hook(NULL);
        EXPECT(hook_calls > 1, 1);
        while (wait_for(20) != 0) {}
        const uint64_t before = events();
        const int calls = hook_calls;
        EXPECT(wait_for(1), 0);
        EXPECT(wait_for(0), 0);
        EXPECT(events(), before);
        EXPECT(hook_calls, calls);
        MPI_Send(NULL, 0, MPI_CHAR, 1, tag, MPI_COMM_WORLD);
    } else {
        const struct timespec while_others_wait = {0, 200000000};
        nanosleep(&while_others_wait, NULL);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Recv(NULL, 0, MPI_CHAR, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    together();
}

int main(int argc, char** argv) {
    *(void**)&interface_of = find("dampi_mpich_interface");
    *(void**)&set_value = find("dampi_mpich_value");
    *(void**)&bind_values = find("dampi_mpich_bind");
    *(void**)&probed = find("dampi_mpich_probed");
    *(void**)&wait_for = find("dampi_mpich_wait");
    *(void**)&events = find("dampi_mpich_events");
    *(void**)&set_hook = find("dampi_mpich_idle_hook");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    strcpy(situation, "start");
    EXPECT(interface_of(), DAMPI_MPICH_INTERFACE);
    together();
    idleness();
    every_way();
    unbound();
    as_the_package();
    MPI_Finalize();
    return wrong;
}
