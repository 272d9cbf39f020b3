/* A chain of ranks that has ends, where each exchanges with the neighbours that it has, twice in a step, and now and
 * then all together.
 *
 *   border STEPS [FAULT RANK STEP]
 *
 * In that step that rank computes without end ("loop"), sleeps without end ("sleep"), ends without MPI_Finalize
 * ("exit"), has another thread compute without end while it goes on to the next exchange, which lacks a message
 * ("thread"), has it loop in a parallel region's place while the first thread waits for it ("join"), or works between
 * asking again and again for a message that does not come, while another thread sleeps ("poll"), or asks for a message
 * that is there and never receives it, and for requests that are complete ("again"). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
#include <unistd.h>

static int rank, size, faulty_rank = -1, faulty_step = -1;
static const char* fault = "";
static volatile double sink;

static int is_here(const char* what, int step) {
    return rank == faulty_rank && step == faulty_step && strcmp(fault, what) == 0;
}

static void exchange(double* ends, int lacks) {
    MPI_Request requests[4];
    MPI_Status statuses[4];
    int n = 0;
    if (rank > 0) {
        MPI_Irecv(&ends[0], 1, MPI_DOUBLE, rank - 1, 1, MPI_COMM_WORLD, &requests[n++]);
        MPI_Isend(&ends[1], 1, MPI_DOUBLE, rank - 1, 2, MPI_COMM_WORLD, &requests[n++]);
    }
    if (rank < size - 1) {
        MPI_Irecv(&ends[3], 1, MPI_DOUBLE, rank + 1, 2, MPI_COMM_WORLD, &requests[n++]);
        if (!lacks) MPI_Isend(&ends[2], 1, MPI_DOUBLE, rank + 1, 1, MPI_COMM_WORLD, &requests[n++]);
    }
    MPI_Waitall(n, requests, statuses);
}

static void* spin(void* unused) {
    for (;;) sink += 1;
    return unused;
}

static void* sleep_for_ever(void* unused) {
    for (;;) pause();
    return unused;
}

static void poll(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sleep_for_ever, NULL);
    for (int flag = 0; !flag;) {
        MPI_Iprobe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        for (int i = 0; i < 20000000; ++i) sink += 1;
    }
}

static void ask_again(void) {
    int flag, index, value = 0, got;
    MPI_Request none = MPI_REQUEST_NULL, sent, kept[2];
    MPI_Isend(&value, 1, MPI_INT, rank, 9, MPI_COMM_WORLD, &sent);
    for (int i = 0; i < 2; ++i) MPI_Recv_init(&got, 1, MPI_INT, MPI_PROC_NULL, 9, MPI_COMM_WORLD, &kept[i]);
    MPI_Startall(2, kept);
    for (;;) {
        MPI_Iprobe(rank, 9, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        MPI_Test(&none, &flag, MPI_STATUS_IGNORE);
        MPI_Testall(2, kept, &flag, MPI_STATUSES_IGNORE);
        MPI_Request_get_status(kept[0], &flag, MPI_STATUS_IGNORE);
        MPI_Testany(2, kept, &index, &flag, MPI_STATUS_IGNORE);
        MPI_Testsome(1, &none, &flag, &index, MPI_STATUSES_IGNORE);
    }
}

static void relax(int step) {
    usleep(5000);
    while (is_here("loop", step)) sink += 1;
    while (is_here("sleep", step)) pause();
    if (is_here("exit", step)) _exit(0);
    if (is_here("poll", step)) poll();
    if (is_here("again", step)) ask_again();
    if (is_here("thread", step) || is_here("join", step)) {
        pthread_t thread;
        pthread_create(&thread, NULL, spin, NULL);
        if (is_here("join", step)) pthread_join(thread, NULL);
    }
}

int main(int argc, char** argv) {
    double ends[4] = {0}, one = 1, all = 0;
    const int steps = argc > 1 ? atoi(argv[1]) : 100;
    const int has_threads = argc > 2 && strcmp(argv[2], "thread") == 0;
    int level = 0;
    MPI_Init_thread(&argc, &argv, has_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 4) {
        fault = argv[2];
        faulty_rank = atoi(argv[3]);
        faulty_step = atoi(argv[4]);
    }
    for (int step = 0; step < steps; ++step) {
        exchange(ends, 0);
        relax(step);
        exchange(ends, is_here("thread", step));
        if (step % 10 == 9) MPI_Allreduce(&one, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0) printf("%g\n", all);
    MPI_Finalize();
    return 0;
}
