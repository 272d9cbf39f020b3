/* DAMPI-TEST
 *   np: 2
 *   options: --real-time --livelock-limit 1
 *   expect: incomplete
 *   interleavings: 1
 * Rank 0 polls for a message that nobody sends until a time is over, by the C library's clocks, and then sends what
 * rank 1 waits for. Each wait is longer than the limit.
 */
#include <mpi.h>
#include <time.h>
#include <sys/time.h>

static double by_clock_gettime(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double by_gettimeofday(void) {
    struct timeval now;
    gettimeofday(&now, NULL);
    return (double)now.tv_sec + 1e-6 * (double)now.tv_usec;
}

static double by_timespec_get(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double by_clock(void) { return (double)clock() / CLOCKS_PER_SEC; }

static double by_time(void) { return (double)time(NULL); }

int main(int argc, char** argv) {
    double (*const clocks[])(void) = {by_clock_gettime, by_gettimeofday, by_timespec_get, by_clock, by_time};
    const int count = sizeof clocks / sizeof clocks[0];
    int rank, value = 0, flag = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < count; i++) {
        if (rank == 0) {
            /* by_clock counts the time of the processor, which may be shared */
            for (const double begin = clocks[i](); clocks[i]() < begin + (clocks[i] == by_clock ? 0.8 : 1.6);) {
                MPI_Iprobe(1, 7, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
            }
            MPI_Send(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
        } else {
            MPI_Recv(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
    return 0;
}
