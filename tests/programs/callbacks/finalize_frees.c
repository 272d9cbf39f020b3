/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * A library frees its communicator in a callback that MPI_Finalize calls, for the attribute on MPI_COMM_SELF.
 */
#include <mpi.h>
#include <stddef.h>

static MPI_Comm library;

static int gone(MPI_Comm comm, int key, void* value, void* state) {
    (void)comm, (void)key, (void)value, (void)state;
    return MPI_Comm_free(&library);
}

int main(void) {
    int key;
    MPI_Init(NULL, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &library);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, gone, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    MPI_Comm_free_keyval(&key);
    MPI_Barrier(library);
    MPI_Finalize();
    return 0;
}
