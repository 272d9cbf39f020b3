/* DAMPI-TEST
 *   np: 2
 *   expect: argument/rank, crash
 *   interleavings: 1
 * Nobody catches what an error handler throws. Twin: errhandler_throws.
 */
#include <mpi.h>

#include <stdexcept>

namespace {

void throw_error(MPI_Comm* /*comm*/, int* /*code*/, ...) { throw std::runtime_error("MPI has failed"); }

}  // namespace

int main() {
    MPI_Init(nullptr, nullptr);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm_create_errhandler(throw_error, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Errhandler_free(&handler);
    if (rank == 1) {
        MPI_Send(&rank, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
