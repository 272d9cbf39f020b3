/* DAMPI-TEST
 *   np: 2
 *   expect: argument/displacement
 *   central: refused MPI_Get
 *   interleavings: 1
 *   outcomes: {}
 *   where: beyond_window_vector.c:@
 * Only the last block of a vector is behind the end. Twin: beyond_window_vector_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Datatype column;
    MPI_Type_vector(3, 1, 3, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Win_fence(0, win);
    if (rank == 0) MPI_Get(results, 3, MPI_INT, 1, 2, 1, column, win); /*@*/
    MPI_Win_fence(0, win);
    MPI_Type_free(&column);
    return finish();
}
