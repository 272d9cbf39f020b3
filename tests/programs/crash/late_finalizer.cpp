/* DAMPI-TEST
 *   np: 2
 *   expect: exit, leak/communicator
 *   interleavings: 1
 *   where: late_finalizer.cpp:@
 * MPI is finalized by the destructor of a global, before that of another one, which was constructed earlier, frees a
 * communicator. Twin: late_finalizer_ok.
 */
#include <mpi.h>

namespace {

struct Copy {
    MPI_Comm comm = MPI_COMM_NULL;
    ~Copy() {
        if (comm != MPI_COMM_NULL) {
            MPI_Comm_free(&comm); /*@*/
        }
    }
} copy;

struct Mpi {
    ~Mpi() { MPI_Finalize(); }
} mpi;

}  // namespace

int main() {
    MPI_Init(nullptr, nullptr);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy.comm);
    MPI_Barrier(copy.comm);
    return 0;
}
