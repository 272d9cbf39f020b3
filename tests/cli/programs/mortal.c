/* What the tests of death need. The first argument says what happens:
 *   take FILE   rank 0 takes messages by wildcard for ever and writes one byte into FILE after each
 *   die         ranks 0 and 1 take messages by wildcard, then rank 0 kills itself with SIGKILL
 *   abort       the same, but rank 0 then calls MPI_Abort
 *   crash       the same, but rank 0 then dies of a signal that the layer notes
 *   error       the same, but rank 0 then makes a mistake for which the MPI library aborts the job
 *   child       rank 1 starts a child that sleeps for ever; all ranks end as they should
 *   child-die   the same, but rank 1 kills itself with SIGKILL
 *   child-wait  the same, but rank 0 then sleeps instead of calling MPI
 * Three ranks. The child keeps whatever its rank has open. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

static void sleep_for_ever(void) {
    for (;;) pause();
}

static void take(int rank, const char* file) {
    int value = rank;
    if (rank != 0)
        for (;;) MPI_Ssend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    const int progress = open(file, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (progress < 0) exit(1); /* this is a run that is made again, to know more of the first one */
    for (;;) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (write(progress, "x", 1) != 1) exit(1);
    }
}

static void die(int rank, const char* how) {
    int value = rank;
    if (rank == 2) {
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        for (int i = 0; i < 2; i++) MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (strcmp(how, "die") == 0) raise(SIGKILL);
        if (strcmp(how, "crash") == 0) raise(SIGSEGV);
        if (strcmp(how, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 3);
        MPI_Send(&value, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
    }
}

static void start_child(int rank, const char* how) {
    if (rank == 1 && fork() == 0) sleep_for_ever();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1 && strcmp(how, "child-die") == 0) raise(SIGKILL);
    if (rank == 0 && strcmp(how, "child-wait") == 0) sleep_for_ever();
}

int main(int argc, char** argv) {
    int rank;
    const char* what = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(what, "take") == 0 && argc > 2)
        take(rank, argv[2]);
    else if (strcmp(what, "die") == 0 || strcmp(what, "crash") == 0 || strcmp(what, "abort") == 0 ||
             strcmp(what, "error") == 0)
        die(rank, what);
    else if (strncmp(what, "child", 5) == 0)
        start_child(rank, what);
    else
        return 2;
    MPI_Finalize();
    return 0;
}
