/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * The twin of freed_communicator: the copy is used while there is the communicator.
 */
#include <mpi.h>

#ifndef USES_LATE
#define USES_LATE 0
#endif

static MPI_Comm copy;

static void use(void) { MPI_Barrier(copy); }

int main(int argc, char** argv) {
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    copy = comm;
    use();
    MPI_Comm_free(&comm);
    if (USES_LATE) {
        use();
    }
    MPI_Finalize();
    return 0;
}
