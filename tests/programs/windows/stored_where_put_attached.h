/* A rank uses memory that it has attached to a window while another one puts something there; with WRONG the same
 * number. */
#include "windows.h"

int main(void) {
    static int attached[16];
    MPI_Win dynamic;
    MPI_Aint address, others;
    begin();
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dynamic);
    MPI_Win_attach(dynamic, attached, sizeof attached);
    MPI_Get_address(attached, &address);
    MPI_Sendrecv(&address, 1, MPI_AINT, !rank, 0, &others, 1, MPI_AINT, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_fence(0, dynamic);
    if (rank == 0) MPI_Put(values, 2, MPI_INT, 1, others, 2, MPI_INT, dynamic);
    if (rank == 1) attached[WRONG ? 1 : 4] = 7;
    MPI_Win_fence(0, dynamic);
    attached[0] += attached[1];
    MPI_Win_fence(MPI_MODE_NOSUCCEED, dynamic);
    MPI_Win_detach(dynamic, attached);
    MPI_Win_free(&dynamic);
    return finish();
}
