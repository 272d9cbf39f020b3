/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 * Rank 0 ends its helper processes with a signal for its process group, which as under mpiexec is its own: the other
 * ranks are not in it.
 */
#include <mpi.h>
#include <stddef.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
    int rank = 0, got = 0, status = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (getpgrp() != getpid() || getsid(0) != getpid()) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (rank == 0) {
        for (int i = 0; i < 2; ++i) {
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        const pid_t helper = fork();
        if (helper == 0) {
            pause();
            _exit(0);
        }
        signal(SIGTERM, SIG_IGN);
        kill(0, SIGTERM);
        signal(SIGTERM, SIG_DFL);
        kill(helper, SIGKILL); /* it may not have come to be one yet */
        waitpid(helper, &status, 0);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
