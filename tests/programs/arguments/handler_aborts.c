/* DAMPI-TEST
 *   np: 2
 *   expect: argument/tag
 *   interleavings: 1
 *   where: handler_aborts.c:@
 * The program's own error handler gives up: the finding is what it was called for. It sees the communicator and the
 * error that it would see without the tool, once.
 */
#include <assert.h>
#include <mpi.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

static int calls = 0;
static MPI_Comm own;

static void give_up(MPI_Comm* comm, int* error, ...) {
    char text[8192];
    int length, class;
    MPI_Error_class(*error, &class);
    MPI_Error_string(*error, text, &length);
    assert(++calls == 1);
    assert(*comm == own && class == MPI_ERR_TAG);
    assert(strstr(text, "MPI_Send(") != NULL);
    MPI_Abort(*comm, 3);
}

int main(void) {
    int rank, value = 1;
    MPI_Errhandler handler;
    MPI_Init(NULL, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    MPI_Comm_rank(own, &rank);
    MPI_Comm_create_errhandler(give_up, &handler);
    MPI_Comm_set_errhandler(own, handler);
    MPI_Errhandler_free(&handler);
    MPI_Send(&value, 1, MPI_INT, 1 - rank, -1, own); /*@*/
    MPI_Comm_free(&own);
    MPI_Finalize();
    return 0;
}
