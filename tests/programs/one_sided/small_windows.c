/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * Windows of a few bytes, whose memory MPI has made and which begins anywhere: what is put arrives.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, size;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < 3; round++) {
        int* slots = NULL;
        MPI_Win window;
        MPI_Win_allocate((MPI_Aint)(size * sizeof(int)), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &slots, &window);
        for (int i = 0; i < size; i++) slots[i] = -1;
        MPI_Win_fence(0, window);
        for (int i = 0; i < size; i++) MPI_Put(&rank, 1, MPI_INT, i, rank, 1, MPI_INT, window);
        MPI_Win_fence(0, window);
        for (int i = 0; i < size; i++) assert(slots[i] == i);
        MPI_Win_free(&window);
    }
    MPI_Finalize();
    return 0;
}
