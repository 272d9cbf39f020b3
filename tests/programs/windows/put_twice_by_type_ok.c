/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * The twin of put_twice_by_type.
 */
#include "windows.h"

int main(void) {
    int lengths[2] = {2, 2}, places[2] = {0, 2};
    MPI_Datatype type;
    begin();
    MPI_Type_indexed(2, lengths, places, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Put(values, 4, MPI_INT, 1, 0, 1, type, win);
    }
    MPI_Win_fence(0, win);
    MPI_Type_free(&type);
    return finish();
}
