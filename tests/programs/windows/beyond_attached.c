/* DAMPI-TEST
 *   np: 3
 *   expect: argument/displacement
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 *   where: beyond_attached.c:@
 * Ranks put behind the memory that is attached to a dynamic window. Twin: beyond_attached_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, size, value = 5;
    static int memory[8];
    MPI_Aint theirs = 0, mine;
    MPI_Win win;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_attach(win, memory, 6 * sizeof(int));
    MPI_Get_address(memory, &mine);
    const int target = (rank + size - 1) % size;
    MPI_Sendrecv(&mine, 1, MPI_AINT, (rank + 1) % size, 0, &theirs, 1, MPI_AINT, target, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win);
    MPI_Put(&value, 1, MPI_INT, target, theirs + 6 * (MPI_Aint)sizeof(int), 1, MPI_INT, win); /*@*/
    MPI_Win_unlock(target, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_detach(win, memory);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
