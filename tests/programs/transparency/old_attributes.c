/* DAMPI-TEST
 *   np: 1
 *   expect: clean
 *   interleavings: 1
 * Attributes by the functions of MPI-1, which in MPICH are jumps to those of MPI-2.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

int main(void) {
    int key, found, number = 5;
    int* got;
    MPI_Init(NULL, NULL);
    MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, &key, NULL);
    MPI_Attr_put(MPI_COMM_SELF, key, &number);
    MPI_Attr_get(MPI_COMM_SELF, key, &got, &found);
    assert(found && got == &number);
    MPI_Attr_delete(MPI_COMM_SELF, key);
    MPI_Attr_get(MPI_COMM_SELF, key, &got, &found);
    assert(!found);
    MPI_Attr_get(MPI_COMM_SELF, MPI_TAG_UB, &got, &found);
    assert(found && *got >= 32767);
    MPI_Keyval_free(&key);
    assert(key == MPI_KEYVAL_INVALID);
    MPI_Finalize();
    return 0;
}
