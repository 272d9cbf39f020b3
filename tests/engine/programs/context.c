/* Three ranks; rank 0 has an epoch in each of many situations, all on messages of rank 1. The argument says in what the
 * situations differ. */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank;

/* An epoch of rank 0. */
static int take(MPI_Comm comm) {
    int got = -1;
    MPI_Status status;
    if (rank == 1) MPI_Send(&rank, 1, MPI_INT, 0, 0, comm);
    if (rank == 0) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm, &status);
        assert(status.MPI_SOURCE == 1);
    }
    return got;
}

static void zones(void) {
    MPI_Request request;
    MPI_Comm pair, all;
    MPI_Info info = MPI_INFO_NULL;
    take(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    take(MPI_COMM_WORLD); /* 1 */
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    take(MPI_COMM_WORLD); /* 2 */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    take(MPI_COMM_WORLD); /* 2 */
    MPI_Barrier_init(MPI_COMM_WORLD, info, &request);
    take(MPI_COMM_WORLD); /* 2: made, not started */
    for (int i = 0; i < 2; i++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
    take(MPI_COMM_WORLD); /* 4 */
    MPI_Comm_split(MPI_COMM_WORLD, rank == 2, 0, &pair);
    take(MPI_COMM_WORLD); /* 5 */
    MPI_Barrier(pair);
    take(MPI_COMM_WORLD); /* 5 */
    MPI_Comm_dup(MPI_COMM_WORLD, &all);
    MPI_Barrier(all);
    take(MPI_COMM_WORLD); /* 7 */
    MPI_Comm_free(&pair);
    MPI_Comm_free(&all);
}

static void brackets(void) {
    take(MPI_COMM_WORLD);
    MPI_Pcontrol(1);
    take(MPI_COMM_WORLD); /* bracketed */
    MPI_Pcontrol(5);
    take(MPI_COMM_WORLD); /* bracketed, 3 */
    MPI_Pcontrol(4, "further", 1.0);
    take(MPI_COMM_WORLD); /* bracketed, 2 */
    MPI_Pcontrol(9);
    take(MPI_COMM_WORLD); /* bracketed, 2 */
    for (int i = 0; i < 3; i++) MPI_Pcontrol(0);
    take(MPI_COMM_WORLD); /* bracketed */
    MPI_Pcontrol(-1);
    take(MPI_COMM_WORLD); /* bracketed */
    MPI_Pcontrol(0);
    MPI_Pcontrol(2);
    take(MPI_COMM_WORLD); /* 0 */
    MPI_Pcontrol(0);
    take(MPI_COMM_WORLD);
}

/* A bracket between two calls of one sequence of polling calls: the first one counts. The message is sent when that has
 * answered: then rank 0 makes the file. */
static void polls(const char* file) {
    int flag = 0;
    MPI_Request request;
    int got;
    if (rank == 0) {
        MPI_Irecv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        fclose(fopen(file, "w"));
        MPI_Pcontrol(1);
        while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        MPI_Pcontrol(0);
        MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        for (int i = 0; i < 60000 && access(file, F_OK) != 0; i++) usleep(1000);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void unbalanced(void) {
    for (int i = 0; i < 3; i++) MPI_Pcontrol(0);
    take(MPI_COMM_WORLD);
    if (rank == 1) {
        for (int i = 0; i < 2; i++) MPI_Pcontrol(1); /* open */
    }
    MPI_Pcontrol(3); /* open */
}

static void names(void) {
    MPI_Comm named, unnamed;
    char longest[2 * MPI_MAX_OBJECT_NAME];
    MPI_Comm_dup(MPI_COMM_WORLD, &named);
    MPI_Comm_dup(MPI_COMM_WORLD, &unnamed);
    take(MPI_COMM_WORLD);
    take(named);
    MPI_Comm_set_name(named, "results");
    take(named);
    take(unnamed);
    MPI_Comm_set_name(named, "");
    take(named);
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    MPI_Comm_set_name(unnamed, longest);
    take(unnamed);
    if (rank == 0) {
        MPI_Request requests[2];
        int got[2];
        MPI_Irecv(&got[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&got[1], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[1]);
        int index;
        MPI_Status statuses[2];
        MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE); /* a choice has no communicator */
        MPI_Waitall(2, requests, statuses);
    } else if (rank == 1) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Comm_free(&named);
    MPI_Comm_free(&unnamed);
}

static __attribute__((noinline)) void outer(int deep) {
    if (deep > 0)
        outer(deep - 1);
    else
        take(MPI_COMM_WORLD);
    __asm__ volatile(""); /* no tail call */
}

static void stacks(void) {
    const volatile int three = 3; /* the compiler does not unroll the loop */
    for (int i = 0; i < three; i++) outer(0);
    outer(2);
    outer(100);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(argv[1], "zones") == 0) zones();
    if (strcmp(argv[1], "brackets") == 0) brackets();
    if (strcmp(argv[1], "polls") == 0) polls(argv[2]);
    if (strcmp(argv[1], "unbalanced") == 0) unbalanced();
    if (strcmp(argv[1], "names") == 0) names();
    if (strcmp(argv[1], "stacks") == 0) stacks();
    MPI_Finalize();
    return 0;
}
