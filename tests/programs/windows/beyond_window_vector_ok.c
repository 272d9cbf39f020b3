/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Get
 *   interleavings: 1
 *   outcomes: {}
 * The twin of beyond_window_vector.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Datatype column;
    MPI_Type_vector(3, 1, 3, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Win_fence(0, win);
    if (rank == 0) MPI_Get(results, 3, MPI_INT, 1, 1, 1, column, win);
    MPI_Win_fence(0, win);
    MPI_Type_free(&column);
    return finish();
}
