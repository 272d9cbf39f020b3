/* Numbers are put, got and accumulated, and described in the same way on both sides but for the datatypes that they are
 * packed in. With WRONG 1 rank 0 puts them as others than it says for the target. */
#include "windows.h"

int main(void) {
    begin();
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Put(values, 2, WRONG ? MPI_FLOAT : MPI_INT, 1, 0, 1, pair, win);
        MPI_Get(results, 8, MPI_BYTE, 1, 2, 1, pair, win);
        MPI_Accumulate(values + 2, 2, MPI_INT, 1, 4, 1, pair, MPI_SUM, win);
        MPI_Put(values, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, 1, MPI_INT, win);
    }
    MPI_Win_fence(0, win);
    MPI_Type_free(&pair);
    return finish();
}
