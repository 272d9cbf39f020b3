/* Four phases in which rank 0 takes a message of each other rank by wildcard and sums up in a large block, which malloc
 * maps: one that it has gotten after MPI_Init, or, with an argument, a new one in each phase. All outcomes of a phase
 * lead to the same state. With a second argument it aborts in the last phase if rank 1 comes last. */
#include <mpi.h>
#include <stdlib.h>

enum { PHASES = 4, NUMBERS = 100000 };

int main(int argc, char** argv) {
    int rank, size, phase, i, value = 0;
    int* sums;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    sums = calloc(NUMBERS, sizeof(int));
    for (phase = 0; phase < PHASES; ++phase) {
        if (argc > 1) {
            free(sums);
            sums = calloc(NUMBERS, sizeof(int));
        }
        if (rank == 0) {
            for (i = 1; i < size; ++i) {
                MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, phase, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                sums[NUMBERS / 2] += value;
            }
            if (argc > 2 && phase == PHASES - 1 && value == 1) MPI_Abort(MPI_COMM_WORLD, 4);
            value = 0;
        } else {
            MPI_Send(&rank, 1, MPI_INT, 0, phase, MPI_COMM_WORLD);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    free(sums);
    MPI_Finalize();
    return 0;
}
