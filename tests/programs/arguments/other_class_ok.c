/* DAMPI-TEST
 *   np: 1
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * The twin of other_class: the argument is of its class.
 */
#include <mpi.h>

#ifndef OTHERS
#define OTHERS 0
#endif

int main(int argc, char** argv) {
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_size(OTHERS ? MPI_INFO_ENV : MPI_COMM_WORLD, &size);
    MPI_Finalize();
    return 0;
}
