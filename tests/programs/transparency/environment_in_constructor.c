/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 * A constructor finds the rank's number in the environment without asking the C library for it: there is no process
 * that has run constructors for all ranks.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

extern char** environ;
static int told = -1;

__attribute__((constructor)) static void look(void) {
    for (char** each = environ; *each != NULL; ++each) {
        if (strncmp(*each, "PMI_RANK=", 9) == 0) {
            told = atoi(*each + 9);
        }
    }
}

int main(int argc, char** argv) {
    int rank = 0, got = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (told != rank) {
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
