/* A solver as there are many: halo exchanges and a norm in each step, an output now and then, which rank 0 alone
 * writes. A fault is put into it by arguments:
 *
 *   solver STEPS                      none
 *   solver STEPS loop RANK STEP       RANK computes for ever in that step
 *   solver STEPS lost RANK STEP       RANK leaves out one message
 *   solver STEPS stop RANK STEP       RANK is stopped by a signal
 *   solver STEPS slow RANK STEP       each step of RANK's takes ten times as long, for twelve steps
 *   solver STEPS phase RANK STEP      RANK computes for MILLISECONDS (environment, 4000) while the others wait
 *   solver STEPS circle RANK STEP     all wait for a message of their neighbour
 *   solver STEPS poll RANK STEP       the others poll for a message of RANK's that does not come
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <signal.h>
#include <unistd.h>

enum { cells = 64 };

static int rank, size;
static const char* fault = "none";
static int faulty_rank = -1, faulty_step = -1;
static volatile double sink;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Computes for so many milliseconds. */
static void work(int milliseconds) {
    const double end = seconds() + milliseconds * 1e-3;
    while (seconds() < end)
        for (int i = 0; i < 1000; ++i) sink += i;
}

static int is_here(const char* what, int step) {
    return rank == faulty_rank && step == faulty_step && strcmp(fault, what) == 0;
}

static void relax(int step, double* u) {
    for (int i = 1; i <= cells; ++i) u[i] = (u[i - 1] + u[i + 1]) / 2 + 1;
    int milliseconds = 10;
    if (rank == faulty_rank && strcmp(fault, "slow") == 0 && step >= faulty_step && step < faulty_step + 12)
        milliseconds *= 10;
    if (is_here("phase", step)) milliseconds = getenv("MILLISECONDS") ? atoi(getenv("MILLISECONDS")) : 4000;
    work(milliseconds);
    while (is_here("loop", step)) sink += 1;
    if (is_here("stop", step)) raise(SIGSTOP);
}

static void exchange(int step, double* u) {
    const int left = (rank + size - 1) % size, right = (rank + 1) % size;
    if (strcmp(fault, "circle") == 0 && step == faulty_step)
        MPI_Recv(&u[0], 1, MPI_DOUBLE, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Irecv(&u[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&u[cells + 1], 1, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &requests[1]);
    if (!is_here("lost", step)) MPI_Send(&u[cells], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD);
    MPI_Send(&u[1], 1, MPI_DOUBLE, left, 2, MPI_COMM_WORLD);
    MPI_Waitall(2, requests, statuses);
}

static double norm(const double* u) {
    double own = 0, all = 0;
    for (int i = 1; i <= cells; ++i) own += u[i] * u[i];
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static void await(void) {
    int flag = 0;
    while (!flag) {
        MPI_Iprobe(faulty_rank, 9, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        usleep(500);
    }
}

int main(int argc, char** argv) {
    double u[cells + 2] = {0};
    const int steps = argc > 1 ? atoi(argv[1]) : 100;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 4) {
        fault = argv[2];
        faulty_rank = atoi(argv[3]);
        faulty_step = atoi(argv[4]);
    }
    double last = 0;
    for (int step = 0; step < steps; ++step) {
        exchange(step, u);
        relax(step, u);
        if (strcmp(fault, "poll") == 0 && step == faulty_step && rank != faulty_rank) await();
        last = norm(u);
        if (step % 100 == 99) {
            if (rank == 0) work(30);
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
    if (rank == 0) printf("%g\n", last);
    MPI_Finalize();
    return 0;
}
