/* DAMPI-TEST
 *   np: 3
 *   expect: rma/race
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * As indexed_types, but the last of 191 blocks is the same number for both ranks.
 */
#include <mpi.h>
#include <stddef.h>

enum { blocks = 191 };

int main(void) {
    int rank, lengths[blocks], places[blocks];
    static int memory[4 * blocks], data[blocks];
    MPI_Win win;
    MPI_Datatype type;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < blocks; i++) {
        lengths[i] = 1;
        places[i] = 2 * i + i / 3 * 2 + (rank == 2 && i < blocks - 1);
    }
    MPI_Type_indexed(blocks, lengths, places, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank > 0) MPI_Put(data, blocks, MPI_INT, 0, 0, 1, type, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
