/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Win_create
 *   interleavings: 1
 *   outcomes: {}
 * What only some ranks may say is said by one: that it stores nothing, and that nothing is put into its memory. Twin:
 * fence_asserts_differ.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_fence(MPI_MODE_NOPRECEDE | (rank == 0 ? MPI_MODE_NOSTORE : MPI_MODE_NOPUT), win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    return finish();
}
