/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Accumulate
 *   interleavings: 1
 *   outcomes: {}
 * Target datatypes of 5 to 191 irregular blocks in all kinds of accesses of two ranks, one of which has the bytes in
 * the gaps of the other. Twin: indexed_types_conflict.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

enum { most = 200 };

int main(void) {
    int rank, lengths[most], places[most];
    static int memory[4 * most], data[most], result[most];
    MPI_Win win;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < most; i++) {
        data[i] = rank;
        lengths[i] = 1;
        places[i] = 2 * i + i / 3 * 2 + (rank == 2);
    }
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int blocks = 5; blocks <= most; blocks = blocks * 2 + 1) {
        MPI_Datatype type;
        MPI_Type_indexed(blocks, lengths, places, MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_Win_fence(0, win);
        if (rank > 0) MPI_Put(data, blocks, MPI_INT, 0, 0, 1, type, win);
        MPI_Win_fence(0, win);
        if (rank > 0) MPI_Accumulate(data, blocks, MPI_INT, 0, 0, 1, type, MPI_SUM, win);
        MPI_Win_fence(0, win);
        if (rank > 0) MPI_Get(result, blocks, MPI_INT, 0, 0, 1, type, win);
        MPI_Win_fence(0, win);
        if (rank > 0)
            for (int i = 0; i < blocks; i++) assert(result[i] == 2 * rank);
        MPI_Type_free(&type);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
