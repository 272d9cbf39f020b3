/* DAMPI-TEST
 *   np: 3
 *   expect: rma/race
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 *   where: every_other.c:@
 * Two ranks put every other number; the second puts one more, which belongs to the first. Twin: every_other_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Datatype every_other;
    MPI_Type_vector(4, 1, 2, MPI_INT, &every_other);
    MPI_Type_commit(&every_other);
    MPI_Win_fence(0, win);
    if (rank == 1) MPI_Put(values, 4, MPI_INT, 0, 0, 1, every_other, win); /*@*/
    if (rank == 2) MPI_Put(values, 2, MPI_INT, 0, 5, 2, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Type_free(&every_other);
    return finish();
}
