/* DAMPI-TEST
 *   np: 1
 *   expect: argument/count, argument/rank, argument/window
 *   central: refused MPI_Win_fence
 *   interleavings: 1
 * With MPI_THREAD_MULTIPLE MPICH 4.0 has errors handled while it holds its lock, and aborts when it is asked anything
 * then: whether they are only returned is asked later. The program gets them as without the tool, also from functions
 * that are passed through, and its handler is called.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

static int handled = 0;

static void handle(MPI_Comm* comm, int* code, ...) {
    int class;
    MPI_Error_class(*code, &class);
    assert(class == MPI_ERR_RANK && *comm != MPI_COMM_NULL);
    ++handled;
}

static void expect(int class, int error) {
    int actual;
    MPI_Error_class(error, &actual);
    assert(actual == class);
}

int main(void) {
    int provided, value = 0;
    MPI_Comm twin;
    MPI_Datatype datatype;
    MPI_Errhandler handler;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    assert(provided == MPI_THREAD_MULTIPLE);
    MPI_Comm_dup(MPI_COMM_SELF, &twin);
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(twin, handler);
    MPI_Errhandler_free(&handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    expect(MPI_ERR_RANK, MPI_Send(&value, 1, MPI_INT, 7, 0, MPI_COMM_WORLD));
    assert(handled == 0);
    MPI_Send(&value, 1, MPI_INT, 7, 0, twin);
    assert(handled == 1);
    expect(MPI_ERR_COUNT, MPI_Type_contiguous(-1, MPI_INT, &datatype));
    expect(MPI_ERR_WIN, MPI_Win_fence(0, MPI_WIN_NULL));
    assert(handled == 1);
    MPI_Comm_free(&twin);
    MPI_Finalize();
    return 0;
}
