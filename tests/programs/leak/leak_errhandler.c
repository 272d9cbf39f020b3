/* DAMPI-TEST
 *   np: 2
 *   expect: leak/errhandler
 *   interleavings: 1
 *   outcomes: {}
 *   where: leak_errhandler.c:@
 * An error handler of the program's own that nobody frees. Twin: leak_errhandler_ok.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

static int calls;

static void note(MPI_Comm* comm, int* code, ...) {
    (void)comm;
    (void)code;
    calls++;
}

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(note, &handler); /*@*/
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
    assert(calls == 1 && rank < 2);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Finalize();
    return 0;
}
