/* DAMPI-TEST
 *   np: 2
 *   options: --explore-polls 0
 *   expect: incomplete
 *   interleavings: 1
 * Rank 0 polls for a message that nobody sends until a time-out, by each of the clocks, and then sends what rank 1
 * waits for: the time-outs come without anybody waiting for them. Incomplete, since it gives up polling.
 */
#include <assert.h>
#include <mpi.h>
#include <time.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

static double seconds_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
static double by_realtime(void) { return seconds_of(CLOCK_REALTIME); }
static double by_monotonic(void) { return seconds_of(CLOCK_MONOTONIC); }
static double by_coarse(void) { return seconds_of(CLOCK_MONOTONIC_COARSE); }
static double by_boottime(void) { return seconds_of(CLOCK_BOOTTIME); }
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
static double by_time(void) { return (double)time(NULL); }
static double by_times(void) {
    struct tms ignored;
    return (double)times(&ignored) / (double)sysconf(_SC_CLK_TCK);
}

int main(int argc, char** argv) {
    double (*const clocks[])(void) = {MPI_Wtime, by_realtime,     by_monotonic,    by_coarse, by_boottime,
                                      by_time,   by_gettimeofday, by_timespec_get, by_times};
    const int count = sizeof clocks / sizeof clocks[0];
    int rank, value = 0, flag = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < count; i++) {
        if (rank == 0) {
            const double begin = clocks[i](), other = clocks[(i + 1) % count]();
            while (clocks[i]() < begin + 3600) MPI_Iprobe(1, 7, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
            assert(!flag);
            assert(clocks[(i + 1) % count]() >= other + 3598); /* they tell the same */
            MPI_Send(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
        } else {
            MPI_Recv(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
    return 0;
}
