/* DAMPI-TEST
 *   np: 2
 *   expect: leak/communicator
 *   interleavings: 1
 *   outcomes: {}
 *   options: --wrapper duplicate
 *   where: leak_by_wrapper.c:@
 * Of two communicators that one function makes, the second is never freed: its caller is named. Twin:
 * leak_by_wrapper_ok.
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
    second = duplicate(MPI_COMM_WORLD); /*@*/
    MPI_Barrier(second);
    MPI_Comm_free(&first);
    MPI_Finalize();
    return 0;
}
