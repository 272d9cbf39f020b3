/* DAMPI-TEST
 *   np: 1
 *   expect: argument/communicator, argument/datatype
 *   interleavings: 1
 *   outcomes: {}
 * Copies of handles that have been freed, as arguments of all sorts: each is refused, whatever MPI still has in its
 * place.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

static int is_refused(int code, int expected) {
    int kind = MPI_SUCCESS;
    MPI_Error_class(code, &kind);
    return kind == expected;
}

int main(void) {
    int one = 1, in[8] = {0}, out[8] = {0};
    MPI_Datatype type, freed, made;
    MPI_Comm comm, gone;
    MPI_Init(NULL, NULL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Type_contiguous(2, MPI_INT, &type);
    freed = type;
    MPI_Type_free(&type);
    assert(is_refused(MPI_Type_vector(1, 1, 1, freed, &made), MPI_ERR_TYPE));
    assert(is_refused(MPI_Sendrecv(in, 1, freed, 0, 0, out, 1, freed, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE),
                      MPI_ERR_TYPE));
    assert(is_refused(MPI_Alltoallw(in, &one, &one, &freed, out, &one, &one, &freed, MPI_COMM_SELF), MPI_ERR_TYPE));
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    gone = comm;
    MPI_Comm_free(&comm);
    assert(is_refused(MPI_Barrier(gone), MPI_ERR_COMM));
    MPI_Finalize();
    return 0;
}
