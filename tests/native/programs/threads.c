/* Whether the functions of dampi_mpich.h do what they say while several threads of a rank are in MPI: some block inside
 * of MPI calls, some poll and sleep in dampi_mpich_wait, some do nothing but sleep there. Each thread's operations
 * carry its own values. Two ranks. Prints what is wrong; exit status 1 then. */
#include "dampi_mpich.h"

#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <dlfcn.h>
#include <pthread.h>

enum { rounds = 300, pairs = 2, threads = 2 * pairs, large = 100000 };

static void (*set_value)(uint64_t);
static void (*bind_values)(MPI_Request, struct dampi_mpich_values*);
static int (*wait_for)(int);
static void (*set_hook)(int (*)(void));

static int rank;
static atomic_int wrong, done, sleep_of_hook = 1;

#define EXPECT(what, expected)                                                                                 \
    do {                                                                                                       \
        const unsigned long long found_ = (what), expected_ = (expected);                                      \
        if (found_ != expected_) {                                                                             \
            printf("rank %d, thread %d, round %d: %s is %llu, not %llu\n", rank, thread, round, #what, found_, \
                   expected_);                                                                                 \
            wrong = 1;                                                                                         \
        }                                                                                                      \
    } while (0)

static void* find(const char* name) {
    void* found = dlsym(RTLD_DEFAULT, name);
    if (found == NULL) {
        printf("the MPI library has no %s\n", name);
        exit(1);
    }
    return found;
}

/* What the operation of this rank's thread carries in this round. */
static uint64_t value_of(int of_rank, int thread, int round, int receives) {
    return 1 + (uint64_t)receives + 2 * ((uint64_t)of_rank + 2 * ((uint64_t)thread + threads * (uint64_t)round));
}

static int hook(void) { return sleep_of_hook; }

/* To and fro with the same thread of the other rank; every third message is large, every other one synchronous. The
 * threads of the lower half block inside of MPI, the others sleep between their looks. */
static void* exchange(void* number) {
    const int thread = *(const int*)number, other = 1 - rank;
    char* sent = calloc(1, large);
    char* received = calloc(1, large);
    for (int round = 0; round < rounds; ++round) {
        const int size = round % 3 == 0 ? large : 8, synchronous = round % 2;
        struct dampi_mpich_values of_send = {0, 0}, of_receive = {0, 0};
        MPI_Request requests[2];
        MPI_Status statuses[2];
        sent[0] = (char)round;
        set_value(value_of(rank, thread, round, 1));
        MPI_Irecv(received, size, MPI_CHAR, other, thread, MPI_COMM_WORLD, &requests[0]);
        bind_values(requests[0], &of_receive);
        set_value(value_of(rank, thread, round, 0));
        (synchronous ? MPI_Issend : MPI_Isend)(sent, size, MPI_CHAR, other, thread, MPI_COMM_WORLD, &requests[1]);
        bind_values(requests[1], &of_send);
        set_value(0);
        if (thread < pairs) {
            MPI_Waitall(2, requests, statuses);
        } else {
            int flag = 0;
            while (!flag) {
                MPI_Testall(2, requests, &flag, statuses);
                if (!flag) wait_for(50);
            }
        }
        EXPECT(of_receive.message, value_of(other, thread, round, 0));
        EXPECT(of_receive.receive, 0);
        if (synchronous || of_send.receive != 0) EXPECT(of_send.receive, value_of(other, thread, round, 1));
        EXPECT(of_send.message, 0);
        EXPECT(received[0], (char)round);
    }
    free(sent);
    free(received);
    return NULL;
}

static void* only_sleep(void* nothing) {
    (void)nothing;
    while (!done) wait_for(20);
    return NULL;
}

/* One after the other: without the hook, with it, and where it lets the library sleep until something arrives. */
static void everything(void) {
    int numbers[threads];
    pthread_t ids[threads], sleeper;
    done = 0;
    pthread_create(&sleeper, NULL, only_sleep, NULL);
    for (int i = 0; i < threads; ++i) {
        numbers[i] = i;
        pthread_create(&ids[i], NULL, exchange, &numbers[i]);
    }
    for (int i = 0; i < threads; ++i) pthread_join(ids[i], NULL);
    done = 1;
    pthread_join(sleeper, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    int provided;
    *(void**)&set_value = find("dampi_mpich_value");
    *(void**)&bind_values = find("dampi_mpich_bind");
    *(void**)&wait_for = find("dampi_mpich_wait");
    *(void**)&set_hook = find("dampi_mpich_idle_hook");
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (provided != MPI_THREAD_MULTIPLE) {
        printf("the MPI library has no threads\n");
        return 1;
    }
    everything();
    set_hook(hook);
    everything();
    sleep_of_hook = -1;
    everything();
    set_hook(NULL);
    MPI_Finalize();
    return wrong;
}
