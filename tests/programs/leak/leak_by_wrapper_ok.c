/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 *   options: --wrapper duplicate
 * Both communicators that the function makes are freed. Twin: leak_by_wrapper.
 */
#include <mpi.h>
#include <stddef.h>

static MPI_Comm duplicate(MPI_Comm comm) {
    MPI_Comm made;
    MPI_Comm_dup(comm, &made);
    return made;
}

int main(void) {
    MPI_Comm first, second;
    MPI_Init(NULL, NULL);
    first = duplicate(MPI_COMM_WORLD);
    second = duplicate(MPI_COMM_WORLD);
    MPI_Barrier(second);
    MPI_Comm_free(&first);
    MPI_Comm_free(&second);
    MPI_Finalize();
    return 0;
}
