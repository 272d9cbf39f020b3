/* After a barrier rank 0 takes one message from each other rank by wildcard, in each of two rounds: ((ranks - 1)!)^2
 * interleavings. Before it, and between the rounds, each rank does what the arguments say:
 *   pid     asks for the number of its process, time for its processor time
 *   kill    in the second round rank 0 kills all processes of this program that lead no session, as ranks do
 * Each rank writes a line before the choices, with part of another one, and one after them. What it has computed before
 * them is checked behind them. */
#include <assert.h>
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <signal.h>
#include <unistd.h>

#include <mpi.h>

static int numbers[100000];

static void compute(void) {
    int i;
    for (i = 0; i < 100000; ++i) numbers[i] = i * 7 + numbers[(i * 31) % 100000];
}

static long sum(void) {
    long all = 0;
    int i;
    for (i = 0; i < 100000; ++i) all = all * 3 + numbers[i];
    return all;
}

/* Who was forked from this program and belongs to the same parent, but to no rank of this run. */
static void kill_others(void) {
    char path[300], name[64], own[64], state;
    int parent, session;
    struct dirent* entry;
    DIR* processes = opendir("/proc");
    FILE* file = fopen("/proc/self/comm", "r");
    assert(processes != NULL && file != NULL && fgets(own, sizeof own, file) != NULL);
    fclose(file);
    own[strcspn(own, "\n")] = 0;
    while ((entry = readdir(processes)) != NULL) {
        if (!isdigit((unsigned char)entry->d_name[0])) continue;
        snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
        file = fopen(path, "r");
        if (file == NULL) continue;
        if (fscanf(file, "%*d (%63[^)]) %c %d %*d %d", name, &state, &parent, &session) == 4 &&
            strcmp(name, own) == 0 && parent == getppid() && session != atoi(entry->d_name)) {
            kill(atoi(entry->d_name), SIGKILL);
        }
        fclose(file);
    }
    closedir(processes);
}

int main(int argc, char** argv) {
    int rank, size, i, round, got, once = 0;
    long before, all = 0;
    const char* how = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    printf("rank %d begins", rank);
    fflush(stdout);
    if (strcmp(how, "pid") == 0) once = getpid() > 0;
    if (strcmp(how, "time") == 0) {
        struct timespec used;
        once = clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) == 0;
    }
    for (i = 0; i < 5; ++i) compute();
    before = sum();
    MPI_Allreduce(&before, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    assert(all == before * size);
    for (round = 0; round < 2; ++round) {
        printf(", round %d", round); /* not flushed: it lies in the process */
        MPI_Barrier(MPI_COMM_WORLD);
        for (i = 1; i < size; ++i) {
            if (rank == 0) {
                MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                assert(got > 100 * round && got < 100 * round + size);
            } else if (rank == i) {
                got = rank + 100 * round;
                MPI_Send(&got, 1, MPI_INT, 0, round, MPI_COMM_WORLD);
            }
        }
        if (round == 1 && rank == 0 && strcmp(how, "kill") == 0) kill_others();
        assert(sum() == before);
    }
    compute();
    assert(sum() != before);
    printf(", and has ended\n");
    MPI_Finalize();
    return once > 1;
}
