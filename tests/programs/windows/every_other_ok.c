/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * Two ranks put every other number each: their bytes lie between each other and never meet.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Datatype every_other;
    MPI_Type_vector(4, 1, 2, MPI_INT, &every_other);
    MPI_Type_commit(&every_other);
    MPI_Win_fence(0, win);
    if (rank != 0) MPI_Put(values, 4, MPI_INT, 0, rank == 1 ? 0 : 1, 1, every_other, win);
    MPI_Win_fence(0, win);
    MPI_Type_free(&every_other);
    return finish();
}
