/* DAMPI-TEST
 *   np: 2
 *   expect: argument/displacement
 *   central: refused MPI_Get
 *   interleavings: 1
 *   outcomes: {}
 *   where: detached_before.c:@
 * A rank detaches its memory before it tells another where it was. Twin: detached_before_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 5;
    static int memory[8];
    MPI_Aint address = 0;
    MPI_Win win;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 1) {
        MPI_Win_attach(win, memory, sizeof memory);
        MPI_Get_address(memory, &address);
        MPI_Win_detach(win, memory);
        MPI_Send(&address, 1, MPI_AINT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&address, 1, MPI_AINT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Get(&value, 1, MPI_INT, 1, address, 1, MPI_INT, win); /*@*/
        MPI_Win_unlock(1, win);
        MPI_Send(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
