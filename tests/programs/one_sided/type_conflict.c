/* DAMPI-TEST
 *   np: 3
 *   expect: rma/race
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * Two ranks put columns of a matrix, one of them two, which overlap in one column. Twin: type_conflict_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, values[8] = {0};
    _Alignas(16) int memory[16] = {0};
    MPI_Win win;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Datatype column, two_columns;
    MPI_Type_vector(4, 1, 4, MPI_INT, &column);
    MPI_Type_vector(4, 2, 4, MPI_INT, &two_columns);
    MPI_Type_commit(&column);
    MPI_Type_commit(&two_columns);
    MPI_Win_fence(0, win);
    if (rank == 1) MPI_Put(values, 4, MPI_INT, 0, 2, 1, column, win);
    if (rank == 2) MPI_Put(values, 8, MPI_INT, 0, 1, 1, two_columns, win);
    MPI_Win_fence(0, win);
    MPI_Type_free(&column);
    MPI_Type_free(&two_columns);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
