/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * Ready and synchronous sends, blocking, nonblocking and persistent, each with its receive posted before.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int in[6], out[6], go = 1;
    MPI_Request h[6];
    MPI_Status s[6];
    for (int i = 0; i < 6; i++) in[i] = -1, out[i] = 60 + i;
    if (rank == 1) {
        for (int i = 0; i < 6; i++) MPI_Irecv(&in[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &h[i]);
        MPI_Send(&go, 1, MPI_INT, 0, 99, MPI_COMM_WORLD);
        MPI_Waitall(6, h, s);
        for (int i = 0; i < 6; i++) assert(in[i] == 60 + i && s[i].MPI_TAG == i);
    } else {
        MPI_Recv(&go, 1, MPI_INT, 1, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Rsend(&out[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Ssend(&out[1], 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Irsend(&out[2], 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &h[0]);
        MPI_Issend(&out[3], 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &h[1]);
        MPI_Rsend_init(&out[4], 1, MPI_INT, 1, 4, MPI_COMM_WORLD, &h[2]);
        MPI_Ssend_init(&out[5], 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &h[3]);
        MPI_Startall(2, &h[2]);
        MPI_Waitall(4, h, s);
        MPI_Request_free(&h[2]);
        MPI_Request_free(&h[3]);
    }
    MPI_Finalize();
    return 0;
}
