/* DAMPI-TEST
 *   np: 3
 *   expect: argument/rank
 *   interleavings: 1
 *   outcomes: {}
 * An operator and an error handler of the program's own that ask MPI something: local questions, which need no model.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

static int errors;

static void add(void* in, void* inout, int* length, MPI_Datatype* type) {
    int size = 0;
    MPI_Type_size(*type, &size);
    assert(size == (int)sizeof(int));
    for (int i = 0; i < *length; i++) {
        ((int*)inout)[i] += ((int*)in)[i];
    }
}

static void note(MPI_Comm* comm, int* code, ...) {
    int size = 0, class = MPI_SUCCESS;
    MPI_Comm_size(*comm, &size);
    MPI_Error_class(*code, &class);
    assert(size == 3 && class == MPI_ERR_RANK);
    errors++;
}

int main(void) {
    int rank, one = 1, sum = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Op op;
    MPI_Request request;
    MPI_Op_create(add, 1, &op);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
    assert(sum == 3);
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, op, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    assert(sum == 3);
    MPI_Op_free(&op);
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(note, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Errhandler_free(&handler);
    MPI_Send(&rank, 1, MPI_INT, 9, 0, MPI_COMM_WORLD);
    MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_RANK);
    assert(errors == 2);
    MPI_Finalize();
    return 0;
}
