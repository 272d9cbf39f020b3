/* DAMPI-TEST
 *   np: 2
 *   options: --livelock-limit 1 --explore-polls 0
 *   expect: incomplete
 *   interleavings: 1
 * Rank 0 polls until the handler of its timer, which is to come in an hour, has set a variable; then it goes on well.
 * Incomplete, since it gives up polling. Twin: alarm_does_not_end_polls.
 */
#include <mpi.h>
#include <stddef.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t stop;

static void on_alarm(int number) { stop = number; }

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
