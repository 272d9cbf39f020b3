/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   interleavings: 6
 * Rank 0 takes numbers in the order in which they come, and adds them up in the order of ranks: the sum of
 * drifting_sum.c, and always the same one.
 */
#include <mpi.h>
#include <stdio.h>

#define MOST 64

int main(int argc, char** argv) {
    int rank, size;
    double total = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        double parts[MOST] = {0};
        for (int i = 1; i < size; i++) {
            double part;
            MPI_Status status;
            MPI_Recv(&part, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
            parts[status.MPI_SOURCE % MOST] = part;
        }
        for (int i = 1; i < size; i++) {
            total += parts[i % MOST];
        }
    } else {
        double part = 0.1 * rank;
        MPI_Send(&part, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Bcast(&total, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%.3f\n", total);
    }
    MPI_Finalize();
    return 0;
}
