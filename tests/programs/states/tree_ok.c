/* DAMPI-TEST
 *   np: 15
 *   expect: clean
 *   args: 3
 *   options: --engine central --merge-states always
 *   interleavings: 22
 * A tree: each inner rank takes what its two children send, in any order, and sends the sum on, three times. Of 2^21
 * outcomes there is one other order for each time of each of the seven.
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    const int times = argc > 1 ? atoi(argv[1]) : 1;
    int rank = 0;
    int size = 0;
    int total = 0;
    int came = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int time = 0; time < times; ++time) {
        int sum = rank;
        for (int child = 2 * rank + 1; child <= 2 * rank + 2 && child < size; ++child) {
            MPI_Recv(&came, 1, MPI_INT, MPI_ANY_SOURCE, time, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sum += came;
        }
        if (rank != 0) {
            MPI_Send(&sum, 1, MPI_INT, (rank - 1) / 2, time, MPI_COMM_WORLD);
        }
        total += sum;
        came = 0;
    }
    MPI_Finalize();
    return total == -1;
}
