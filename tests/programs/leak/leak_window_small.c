/* DAMPI-TEST
 *   np: 2
 *   expect: leak/window
 *   central: refused MPI_Win_create
 *   interleavings: 1
 *   outcomes: {}
 *   where: leak_window_small.c:@
 * A window of unaligned memory that is never freed. (MPICH's package ends MPI_Finalize with it when left to itself.)
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    static char memory[64];
    MPI_Win window;
    MPI_Init(NULL, NULL);
    MPI_Win_create(memory + 4, 8, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &window); /*@*/
    MPI_Finalize();
    return 0;
}
