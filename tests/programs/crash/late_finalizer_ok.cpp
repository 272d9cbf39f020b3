/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 * The global that frees a communicator is destroyed before the one that finalizes MPI. Twin of late_finalizer.
 */
#include <mpi.h>

namespace {

struct Mpi {
    ~Mpi() { MPI_Finalize(); }
} mpi;

struct Copy {
    MPI_Comm comm = MPI_COMM_NULL;
    ~Copy() {
        if (comm != MPI_COMM_NULL) {
            MPI_Comm_free(&comm);
        }
    }
} copy;

}  // namespace

int main() {
    MPI_Init(nullptr, nullptr);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy.comm);
    MPI_Barrier(copy.comm);
    return 0;
}
