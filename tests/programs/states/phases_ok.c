/* DAMPI-TEST
 *   np: 5
 *   expect: clean
 *   args: 10
 *   options: --engine central --merge-states always
 *   interleavings: 171
 * In each phase the first rank takes a message of each other one, and adds them up. Of 24^10 outcomes there are 16
 * states in each phase, with 33 ways between them, the first of which the first run takes: 1 + 10 * 17 interleavings.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    const int phases = argc > 1 ? atoi(argv[1]) : 2;
    int rank = 0;
    int size = 0;
    int total = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int phase = 0; phase < phases; ++phase) {
        int part = rank * (phase + 1);
        if (rank == 0) {
            for (int i = 1; i < size; ++i) {
                int came = 0;
                MPI_Recv(&came, 1, MPI_INT, MPI_ANY_SOURCE, phase, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                total += came;
                came = 0;
            }
        } else {
            MPI_Send(&part, 1, MPI_INT, 0, phase, MPI_COMM_WORLD);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0) {
        printf("%d\n", total);
    }
    MPI_Finalize();
    return 0;
}
