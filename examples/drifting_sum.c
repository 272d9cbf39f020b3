/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   interleavings: 6
 * Rank 0 adds up numbers in the order in which they come. Nothing is wrong with it, but the last digit of the sum is
 * another one in some orders: dampi-run --explain-order names the variable. drifting_sum_ok.c adds in the order of
 * ranks.
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    int rank, size;
    double total = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        for (int i = 1; i < size; i++) {
            double part;
            MPI_Recv(&part, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            total += part;
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
