/* What the benchmark programs share: timing an operation in short blocks. Each result is one line on standard
 * output, "name best mean", microseconds for one operation in the best block and on average over all blocks. The best
 * block is the one that nobody disturbed; the average counts where the ranks have to take turns on the cores. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <sched.h>

enum { MAX_BLOCKS = 400 };
static const double block_seconds = 0.5e-3, total_seconds = 0.25;

typedef void (*Operation)(void* context);

/* Where there is a core for each rank, each rank gets its own: else a scheduler under load puts two on one for a
 * while. Collective; call it after MPI_Init. */
static inline void spread_out(void) {
    int rank, size, position = 0;
    cpu_set_t allowed, own;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Barrier(MPI_COMM_WORLD);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || CPU_COUNT(&allowed) < size) return;
    CPU_ZERO(&own);
    for (int core = 0; core < CPU_SETSIZE; core++)
        if (CPU_ISSET(core, &allowed) && position++ == rank) CPU_SET(core, &own);
    sched_setaffinity(0, sizeof own, &own);
}

static inline double time_block(Operation operation, void* context, long count) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (long i = 0; i < count; i++) operation(context);
    double seconds = MPI_Wtime() - begin;
    MPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return seconds;
}

/* Collective. `part` is the share of one operation's time to report: 0.5 for one way of a round trip. */
static inline void measure(const char* name, Operation operation, void* context, double part) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    /* Blocks of about block_seconds when nobody disturbs. */
    long count = 1;
    double seconds;
    for (;; count *= 2) {
        seconds = time_block(operation, context, count);
        for (int i = 0; i < 10 && seconds >= block_seconds; i++) {
            const double again = time_block(operation, context, count);
            if (again < seconds) seconds = again;
        }
        if (seconds >= block_seconds) break;
    }
    int blocks = seconds > 0 ? (int)(total_seconds / seconds) : MAX_BLOCKS;
    blocks = blocks < 5 ? 5 : blocks > MAX_BLOCKS ? MAX_BLOCKS : blocks;
    double best = seconds, sum = 0;
    for (int i = 0; i < blocks; i++) {
        seconds = time_block(operation, context, count);
        sum += seconds;
        if (seconds < best) best = seconds;
    }
    if (rank == 0) {
        printf("%s %.4f %.4f\n", name, best / count * part * 1e6, sum / blocks / count * part * 1e6);
        fflush(stdout);
    }
}
