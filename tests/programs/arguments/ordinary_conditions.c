/* DAMPI-TEST
 *   np: 1
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * Errors that a correct program may meet, or makes itself. Twin: returned_errors.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int class, own, code;
    MPI_Init(NULL, NULL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_File_delete("/nowhere/at/all", MPI_INFO_NULL), &class);
    assert(class == MPI_ERR_NO_SUCH_FILE);
    MPI_Add_error_class(&own);
    MPI_Add_error_code(own, &code);
    assert(MPI_Comm_call_errhandler(MPI_COMM_WORLD, code) == MPI_SUCCESS);
    assert(MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_RANK) == MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
