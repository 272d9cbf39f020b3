/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   options: --check-buffers
 * What lies beside what is received is read and written by the system, and by handlers of signals.
 */
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NUMBERS = 10 };

static sigjmp_buf back;
static volatile sig_atomic_t alarms = 0;

static void on_fault(int signal) { siglongjmp(back, signal); }
static void on_alarm(int signal) { alarms += signal == SIGALRM; }

static int use_the_system(int* beside) {
    int ends[2];
    int status = 1;
    FILE* file = tmpfile();
    if (pipe(ends) != 0 || file == NULL) return 1;
    beside[0] = 17;
    beside[1] = 0;
    if (write(ends[1], beside, sizeof *beside) != sizeof *beside) return 2;
    if (read(ends[0], beside + 1, sizeof *beside) != sizeof *beside || beside[1] != 17) return 3;
    if (fprintf(file, "%d\n", beside[1]) != 3 || fflush(file) != 0) return 4;
    const pid_t child = fork();
    if (child == 0) {
        beside[0]++;
        _exit(beside[0]);
    }
    if (waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 18) return 5;
    raise(SIGALRM);
    if (sigsetjmp(back, 1) == 0) {
        *(volatile int*)(size_t)(beside[0] * 4) = 1;
        return 6;
    }
    fclose(file);
    close(ends[0]);
    close(ends[1]);
    return alarms == 1 ? 0 : 7;
}

int main(int argc, char** argv) {
    int rank;
    int result = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int* numbers = calloc(NUMBERS + 2, sizeof(int));
    struct sigaction action = {0};
    action.sa_handler = on_fault;
    sigaction(SIGSEGV, &action, NULL);
    action.sa_handler = on_alarm;
    sigaction(SIGALRM, &action, NULL);
    if (rank == 0) {
        MPI_Request request;
        MPI_Irecv(numbers + 2, NUMBERS, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        result = use_the_system(numbers);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(numbers, NUMBERS, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    free(numbers);
    MPI_Finalize();
    return result;
}
