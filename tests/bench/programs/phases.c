/* Phases in which the first rank takes a message of each other one; with a second argument what it keeps tells in which
 * order they came, so that no two outcomes come to the same state. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    const int phases = argc > 1 ? atoi(argv[1]) : 10;
    const int factor = argc > 2 ? atoi(argv[2]) : 1;
    int rank = 0;
    int size = 0;
    unsigned long total = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int phase = 0; phase < phases; ++phase) {
        if (rank == 0) {
            for (int i = 1; i < size; ++i) {
                int came = 0;
                MPI_Recv(&came, 1, MPI_INT, MPI_ANY_SOURCE, phase, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                total = total * factor + came;
            }
        } else {
            MPI_Send(&rank, 1, MPI_INT, 0, phase, MPI_COMM_WORLD);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0) {
        printf("%lu\n", total);
    }
    MPI_Finalize();
    return 0;
}
