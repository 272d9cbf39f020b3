/* DAMPI-TEST
 *   np: 2
 *   expect: incomplete
 *   central: refused MPI_Init_thread
 * The threads of an OpenMP region of rank 0 receive from any source, each with a tag of its own.
 */
#include <mpi.h>

int main(int argc, char** argv) {
    int provided, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
#pragma omp parallel for num_threads(2) schedule(static, 1)
        for (int tag = 0; tag < 4; ++tag) {
            int value;
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    } else {
        for (int tag = 0; tag < 4; ++tag) {
            MPI_Send(&rank, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
