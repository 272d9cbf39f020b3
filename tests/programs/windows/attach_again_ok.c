/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Win_create
 *   interleavings: 1
 *   outcomes: {}
 * The twin of attach_again.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win other;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &other);
    MPI_Win_attach(other, values, 4 * sizeof values[0]);
    MPI_Win_attach(other, values + 4, 2 * sizeof values[0]);
    MPI_Win_detach(other, values + 4);
    MPI_Win_detach(other, values);
    MPI_Win_free(&other);
    return finish();
}
