/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 * Blocks may lie before the buffer's address, and in any order.
 */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    int numbers[3] = {0, 0, 0};
    const int counts[3] = {1, 1, 1};
    const int displacements[3] = {1, -1, 0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allgatherv(&rank, 1, MPI_INT, numbers + 1, counts, displacements, MPI_INT, MPI_COMM_WORLD);
    if (numbers[2] != 0 || numbers[0] != 1 || numbers[1] != 2) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
