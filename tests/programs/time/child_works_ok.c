/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 * Rank 0 polls, then lets a child work for a while and looks every millisecond whether it has ended, for thirty
 * seconds at the most: what the child does takes real time, and the sleeps beside it take as long.
 */
#include <mpi.h>
#include <stddef.h>
#include <time.h>
#include <sys/wait.h>
#include <unistd.h>

static double seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(void) {
    int rank = 0, value = 0, flag = 0, status = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        while (!flag) {
            MPI_Iprobe(1, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        }
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        const pid_t child = fork();
        if (child == 0) {
            while (seconds(CLOCK_PROCESS_CPUTIME_ID) < 0.2) {}
            _exit(0);
        }
        const double begin = seconds(CLOCK_MONOTONIC);
        pid_t ended = 0;
        while ((ended = waitpid(child, &status, WNOHANG)) == 0 && seconds(CLOCK_MONOTONIC) - begin < 30) {
            usleep(1000);
        }
        if (ended != child) {
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
