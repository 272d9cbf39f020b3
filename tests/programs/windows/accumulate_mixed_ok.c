/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Accumulate
 *   interleavings: 1
 *   outcomes: {}
 * The twin of accumulate_mixed.
 */
#include "windows.h"

int main(void) {
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {0, 4};
    MPI_Datatype types[2] = {MPI_INT, MPI_INT}, type;
    begin();
    MPI_Type_create_struct(2, lengths, places, types, &type);
    MPI_Type_commit(&type);
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Accumulate(values, 1, type, 1, 0, 1, type, MPI_SUM, win);
    }
    MPI_Win_fence(0, win);
    MPI_Type_free(&type);
    return finish();
}
