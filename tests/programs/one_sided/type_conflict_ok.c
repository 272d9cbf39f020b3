/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * As type_conflict, but the columns do not overlap; and blocks of a box, parts of structures, and single places, all of
 * which lie between each other.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, values[16] = {0};
    _Alignas(16) int memory[64] = {0};
    MPI_Win win;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Datatype column, two_columns, face, places, part, sparse;
    MPI_Type_vector(4, 1, 4, MPI_INT, &column);
    MPI_Type_vector(4, 2, 4, MPI_INT, &two_columns);
    MPI_Type_create_subarray(3, (int[]){4, 4, 4}, (int[]){2, 2, 1}, (int[]){1, 1, 0}, MPI_ORDER_C, MPI_INT, &face);
    MPI_Type_create_indexed_block(3, 1, rank == 1 ? (int[]){1, 5, 2} : (int[]){7, 0, 3}, MPI_INT, &places);
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 12}, (MPI_Datatype[]){MPI_INT, MPI_CHAR}, &part);
    MPI_Type_create_resized(part, 0, 16, &sparse);
    MPI_Type_commit(&column);
    MPI_Type_commit(&two_columns);
    MPI_Type_commit(&face);
    MPI_Type_commit(&places);
    MPI_Type_commit(&sparse);
    MPI_Win_fence(0, win);
    if (rank == 1) MPI_Put(values, 4, MPI_INT, 0, 0, 1, column, win);
    if (rank == 2) MPI_Put(values, 8, MPI_INT, 0, 1, 1, two_columns, win);
    MPI_Win_fence(0, win);
    MPI_Put(values, 4, MPI_INT, 0, rank, 1, face, win);
    MPI_Win_fence(0, win);
    if (rank != 0) MPI_Put(values, 3, MPI_INT, 0, 0, 1, places, win);
    MPI_Win_fence(0, win);
    if (rank == 0) MPI_Put(values, 2, sparse, 0, 0, 2, sparse, win);
    if (rank == 1) MPI_Put(values, 2, sparse, 0, 2, 2, sparse, win);
    if (rank == 2) MPI_Put(values, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Type_free(&column);
    MPI_Type_vector(4, 1, 2, MPI_INT, &column);
    MPI_Type_commit(&column);
    if (rank != 0) MPI_Put(values, 4, MPI_INT, 0, rank, 1, column, win);
    MPI_Win_fence(0, win);
    MPI_Type_free(&column);
    MPI_Type_free(&two_columns);
    MPI_Type_free(&face);
    MPI_Type_free(&places);
    MPI_Type_free(&part);
    MPI_Type_free(&sparse);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
