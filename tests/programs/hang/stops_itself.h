/* Rank 0 stops itself when rank 2 comes first; with `goes_on` a child lets it go on once it is stopped. */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static int is_stopped(pid_t process) {
    char path[64], state = ' ';
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE* file = fopen(path, "r");
    if (file == NULL) return 0;
    int read = fscanf(file, "%*d %*s %c", &state);
    fclose(file);
    return read == 1 && state == 'T';
}

static void stop(int goes_on) {
    pid_t child = 0;
    if (goes_on && (child = fork()) == 0) {
        while (!is_stopped(getppid())) usleep(1000);
        kill(getppid(), SIGCONT);
        _exit(0);
    }
    raise(SIGSTOP);
    if (child > 0) waitpid(child, NULL, 0);
}

static int run(int goes_on) {
    int rank, value = 0;
    MPI_Status status;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        if (status.MPI_SOURCE == 2) stop(goes_on);
        MPI_Recv(&value, 1, MPI_INT, 3 - status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
