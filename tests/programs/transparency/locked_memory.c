/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 * The ranks lock all their memory, as programs do that must not be paged out: not what is shared with dampi-run and
 * that nobody has used, which would be more than a machine has.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* How much of this process' memory is there, in MB. */
static long resident(void) {
    char line[256];
    long kilobytes = -1;
    FILE* status = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof line, status) != NULL) {
        if (strncmp(line, "VmRSS:", 6) == 0) {
            sscanf(line + 6, "%ld", &kilobytes);
        }
    }
    fclose(status);
    return kilobytes / 1024;
}

int main(int argc, char** argv) {
    int rank = 0, got = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (mlockall(MCL_CURRENT | MCL_FUTURE) == 0 && resident() > 1000) { /* who may not lock it does without */
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (rank == 0) {
        for (int i = 0; i < 2; ++i) {
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
