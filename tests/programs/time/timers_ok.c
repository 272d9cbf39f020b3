/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 * Timers of each sort go off in time while rank 1 sleeps, waits in MPI, or polls; what interrupts a sleep says how much
 * of it is left.
 */
#include <assert.h>
#include <errno.h>
#include <mpi.h>
#include <stddef.h>
#include <time.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t alarms, others;

static void on_alarm(int number) {
    (void)number;
    alarms++;
}
static void on_other(int number, siginfo_t* info, void* context) {
    (void)number;
    (void)context;
    others += info->si_value.sival_int;
}

int main(void) {
    int rank, value = 0, flag = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        struct sigaction action = {.sa_flags = SA_SIGINFO};
        signal(SIGALRM, on_alarm);
        action.sa_sigaction = on_other;
        sigaction(SIGUSR1, &action, NULL);

        /* a sleep is interrupted, or lasts */
        assert(alarm(1000) == 0);
        assert(sleep(3000) == 2000 && alarms == 1);
        assert(sleep(2000) == 0 && alarms == 1);
        assert(alarm(1000) == 0 && sleep(400) == 0 && alarm(0) == 600);
        assert(sleep(1000) == 0 && alarms == 1);
        alarm(50);
        assert(pause() == -1 && errno == EINTR && alarms == 2);

        /* every ten seconds, also while it waits in MPI */
        const struct itimerval every = {.it_value = {.tv_sec = 1000}, .it_interval = {.tv_sec = 1000}};
        const struct itimerval none = {{0}};
        struct itimerval left;
        assert(setitimer(ITIMER_REAL, &every, NULL) == 0);
        assert(getitimer(ITIMER_REAL, &left) == 0 && left.it_value.tv_sec >= 999);
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(setitimer(ITIMER_REAL, &none, &left) == 0);
        assert(alarms >= 2 + 1);

        struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
        const struct itimerspec once = {.it_value = {.tv_sec = 500}};
        timer_t timer;
        event.sigev_value.sival_int = 7;
        assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
        assert(timer_settime(timer, 0, &once, NULL) == 0);
        assert(usleep(999999) == 0 && others == 0);
        while (others == 0) MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        assert(others == 7);
        assert(timer_delete(timer) == 0);
    } else {
        sleep(100000);
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
