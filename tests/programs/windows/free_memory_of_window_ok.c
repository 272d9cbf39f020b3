/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Win_create
 *   interleavings: 1
 *   outcomes: {}
 * The twin of free_memory_of_window.
 */
#include "windows.h"

int main(void) {
    begin();
    void* room;
    MPI_Win other;
    MPI_Alloc_mem(64, MPI_INFO_NULL, &room);
    MPI_Win_create(room, 64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &other);
    MPI_Win_lock_all(0, other);
    MPI_Win_unlock_all(other);
    MPI_Win_free(&other);
    MPI_Free_mem(room);
    return finish();
}
