/* Kernels that communicate in the manners of well-known benchmarks, for as long as they are let: what campaign.py puts
 * faults into.
 *
 *   kernels NAME SECONDS
 *
 * cg: a sparse product and two norms in each step. ft: transposes. lu: a pipeline that goes forth and back. mg: halos
 * on levels. is: sorting by buckets. tasks: a master with wildcards and workers that poll. mixed: phases of all of
 * these, with input by rank 0 alone, with a step now and then that takes a hundred times as long, and with rests. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { n = 20000, block = 512, levels = 6 };

static int rank, size;
static double x[n], y[n];
static double received[64 * block], sent[64 * block];

static void smooth(double* u, int count, int times) {
    for (int k = 0; k < times; ++k) {
        for (int i = 1; i + 1 < count; ++i) u[i] = 0.25 * (u[i - 1] + 2 * u[i] + u[i + 1]) + 1e-9 * i;
    }
}

static double dot(const double* a, const double* b) {
    double own = 0, all = 0;
    for (int i = 0; i < n; ++i) own += a[i] * b[i];
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static void exchange(double* u, int count, int tag) {
    const int left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Request requests[4];
    MPI_Status statuses[4];
    MPI_Irecv(&received[0], count, MPI_DOUBLE, left, tag, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&received[block], count, MPI_DOUBLE, right, tag + 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(u, count, MPI_DOUBLE, right, tag, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(u, count, MPI_DOUBLE, left, tag + 1, MPI_COMM_WORLD, &requests[3]);
    smooth(y, n, 1);
    MPI_Waitall(4, requests, statuses);
    u[0] = 0.5 * (received[0] + received[block]);
}

static void cg_step(void) {
    exchange(x, block, 10);
    smooth(x, n, 10);
    const double a = dot(x, y), b = dot(x, x);
    for (int i = 0; i < n; ++i) y[i] = 0.5 * y[i] + 1e-3 * (a / (b + 1)) * x[i];
}

static void ft_step(void) {
    for (int i = 0; i < size * block; ++i) sent[i] = x[i % n];
    MPI_Alltoall(sent, block, MPI_DOUBLE, received, block, MPI_DOUBLE, MPI_COMM_WORLD);
    smooth(received, size * block, 20);
    MPI_Alltoall(received, block, MPI_DOUBLE, sent, block, MPI_DOUBLE, MPI_COMM_WORLD);
    x[0] = sent[0];
}

static void lu_step(void) {
    for (int way = 1; way >= -1; way -= 2) {
        const int from = rank - way, to = rank + way;
        for (int part = 0; part < 4; ++part) {
            if (from >= 0 && from < size)
                MPI_Recv(received, block, MPI_DOUBLE, from, 20 + part, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            smooth(x, n / 4, 8);
            if (to >= 0 && to < size) MPI_Send(x, block, MPI_DOUBLE, to, 20 + part, MPI_COMM_WORLD);
        }
    }
}

static void mg_step(void) {
    for (int level = 0; level < levels; ++level) {
        smooth(x, n >> level, 4);
        exchange(x, block >> level, 30 + 2 * level);
    }
    for (int level = levels - 1; level >= 0; --level) smooth(x, n >> level, 4);
    dot(x, x);
}

static int by_value(const void* a, const void* b) {
    const double d = *(const double*)a - *(const double*)b;
    return d < 0 ? -1 : d > 0;
}

static void is_step(void) {
    int counts[64], theirs[64], places[64], their_places[64];
    for (int i = 0; i < size; ++i) counts[i] = 1 + (rank + i) % (block - 1);
    MPI_Alltoall(counts, 1, MPI_INT, theirs, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0, a = 0, b = 0; i < size; a += counts[i], b += theirs[i], ++i) places[i] = a, their_places[i] = b;
    for (int i = 0; i < size * block; ++i) sent[i] = rand();
    MPI_Alltoallv(sent, counts, places, MPI_DOUBLE, received, theirs, their_places, MPI_DOUBLE, MPI_COMM_WORLD);
    qsort(received, (size_t)(their_places[size - 1] + theirs[size - 1]), sizeof(double), by_value);
}

static void tasks_step(void) {
    enum { tasks = 24 };
    double task = 0;
    if (rank == 0) {
        MPI_Status status;
        int given = 0, idle = 0;
        while (idle < size - 1) {
            MPI_Recv(&task, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
            task = given < tasks ? given : -1;
            idle += given++ >= tasks;
            MPI_Send(&task, 1, MPI_DOUBLE, status.MPI_SOURCE, 2, MPI_COMM_WORLD);
        }
    } else {
        while (task >= 0) {
            MPI_Send(&task, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
            for (int flag = 0; !flag;) {
                MPI_Iprobe(0, 2, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
                if (!flag) usleep(50);
            }
            MPI_Recv(&task, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (task >= 0) smooth(x, n, 10 + (int)task);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void read_input(void) {
    if (rank == 0) smooth(x, n, 20000);
    MPI_Bcast(x, block, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void mixed_step(int number) {
    static void (*const steps[])(void) = {cg_step, ft_step, lu_step, mg_step, is_step, tasks_step};
    if (number % 500 == 0) read_input();
    for (int i = 0; i < 20; ++i) steps[(number / 50) % 6]();
    if (number % 97 == 96 && rank == number % size) smooth(x, n, 10000);
    if (number % 211 == 210) sleep(1);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char* name = argc > 1 ? argv[1] : "cg";
    const double seconds = argc > 2 ? atof(argv[2]) : 10;
    srand((unsigned)rank);
    const double begin = MPI_Wtime();
    int number = 0;
    for (int goes_on = 1; goes_on; ++number) {
        if (strcmp(name, "cg") == 0) cg_step();
        if (strcmp(name, "ft") == 0) ft_step();
        if (strcmp(name, "lu") == 0) lu_step();
        if (strcmp(name, "mg") == 0) mg_step();
        if (strcmp(name, "is") == 0) is_step();
        if (strcmp(name, "tasks") == 0) tasks_step();
        if (strcmp(name, "mixed") == 0) mixed_step(number);
        goes_on = MPI_Wtime() - begin < seconds;
        MPI_Bcast(&goes_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (rank == 0) printf("%d steps, %g\n", number, x[n / 2]);
    MPI_Finalize();
    return 0;
}
