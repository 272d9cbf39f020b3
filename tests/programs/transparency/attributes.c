/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * Attributes copied and deleted with a communicator: the callbacks of the program must run as often as without the
 * tool.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

static int copies, deletions;

static int copy(MPI_Comm comm, int key, void* state, void* in, void* out, int* flag) {
    (void)comm, (void)key, (void)state;
    *(void**)out = in;
    *flag = 1;
    copies++;
    return MPI_SUCCESS;
}

static int gone(MPI_Comm comm, int key, void* value, void* state) {
    (void)comm, (void)key, (void)value, (void)state;
    deletions++;
    return MPI_SUCCESS;
}

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int key, found = 0, *value = NULL, counter = 0;
    MPI_Comm twin;
    MPI_Comm_create_keyval(copy, gone, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &counter);
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    assert(copies == 1);
    MPI_Comm_get_attr(twin, key, &value, &found);
    assert(found && value == &counter);
    MPI_Comm_free(&twin);
    assert(deletions == 1);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    MPI_Comm_free_keyval(&key);
    assert(deletions == 2 && key == MPI_KEYVAL_INVALID && rank < 2);
    MPI_Finalize();
    return 0;
}
