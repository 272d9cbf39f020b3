/* DAMPI-TEST
 *   np: 2
 *   options: --livelock-limit 1
 *   expect: possible-livelock
 *   interleavings: 1
 * As alarm_ends_polls_ok, but the handler forgets to set the variable. While there is a handler it is not certain that
 * rank 0 never stops.
 */
#include <mpi.h>
#include <stddef.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t stop, calls;

static void on_alarm(int number) { calls = number; }

int main(void) {
    int rank, value = 0, flag = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        signal(SIGALRM, on_alarm);
        alarm(3600);
        while (!stop) MPI_Iprobe(1, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
