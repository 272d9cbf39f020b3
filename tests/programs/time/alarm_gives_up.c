/* DAMPI-TEST
 *   np: 2
 *   expect: leak/request
 *   where: alarm_gives_up.c:27
 * Rank 1 waits for an answer until the handler of its timer has run, and forgets it then: only if the answer is late.
 * Twin: alarm_gives_up_ok.
 */
#include <mpi.h>
#include <stddef.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t is_late;

static void on_alarm(int number) { is_late = number; }

int main(void) {
    int rank, value = 0, flag = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Request answer;
        signal(SIGALRM, on_alarm);
        MPI_Irecv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &answer);
        MPI_Ssend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        alarm(2000);
        while (!flag && !is_late) MPI_Test(&answer, &flag, MPI_STATUS_IGNORE);
        alarm(0);
    }
    MPI_Finalize();
    return 0;
}
