/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * There is room for what is sent. Twin: truncation_by_rank.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int data[4] = {0}, room[4] = {0};
    const int sent[2] = {2, 2}, from[2] = {0, 2}, got[2] = {2, 2}, to[2] = {0, 2};
    MPI_Init(NULL, NULL);
    MPI_Alltoallv(data, sent, from, MPI_INT, room, got, to, MPI_INT, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
