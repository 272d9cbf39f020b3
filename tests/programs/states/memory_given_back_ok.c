/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   options: --engine central --merge-states always
 *   interleavings: 4
 * Memory that was there before MPI_Init is given back to the system before the messages come: states are not compared
 * then, and nobody looks where nothing is.
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int rank = 0;
    int sum = 0;
    volatile char* const block = malloc(1 << 20);
    for (int i = 0; i < 1 << 20; ++i) {
        block[i] = (char)(i | 1);
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sum = block[rank] - block[rank];
    free((void*)block);
    for (int phase = 0; phase < 2; ++phase) {
        if (rank == 0) {
            for (int i = 1; i < 3; ++i) {
                int came = 0;
                MPI_Recv(&came, 1, MPI_INT, MPI_ANY_SOURCE, phase, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                sum += came;
            }
        } else {
            MPI_Send(&rank, 1, MPI_INT, 0, phase, MPI_COMM_WORLD);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
