/* What the programs with seeded bugs share. */
#ifndef BUG_H
#define BUG_H

#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int rank, size;

static inline void begin(int* argc, char*** argv, int processes) {
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != processes) {
        fprintf(stderr, "this program needs %d processes\n", processes);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
}

/* With SEEDED_BUG=show in the environment the processes take the time that it takes to show the bug. */
static inline int shows(void) {
    const char* mode = getenv("SEEDED_BUG");
    return mode != NULL && strcmp(mode, "show") == 0;
}

/* Computes for so many milliseconds. */
static inline void compute(double usually, double to_show) {
    const double milliseconds = shows() ? to_show : usually;
    struct timespec time = {(time_t)(milliseconds / 1e3), (long)(milliseconds * 1e6) % 1000000000};
    nanosleep(&time, NULL);
}

static inline void send_number(int number, int destination, int tag) {
    MPI_Send(&number, 1, MPI_INT, destination, tag, MPI_COMM_WORLD);
}

/* Returns the number; `source` may be null. */
static inline int receive_number(int from, int tag, int* source) {
    int number;
    MPI_Status status;
    MPI_Recv(&number, 1, MPI_INT, from, tag, MPI_COMM_WORLD, &status);
    if (source != NULL) *source = status.MPI_SOURCE;
    return number;
}

/* The other processes tell rank 0 how far they are, so many times; it takes each round in any order. With w others
 * there are (w!) to the power of `rounds` ways to do that. */
static inline void report_progress(int rounds) {
    for (int round = 0; round < rounds; round++) {
        if (rank != 0) send_number(round, 0, 1000 + round);
        for (int i = 1; rank == 0 && i < size; i++) receive_number(MPI_ANY_SOURCE, 1000 + round, NULL);
    }
}

#endif
