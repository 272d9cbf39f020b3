/* DAMPI-TEST
 *   np: 2
 *   expect: collective/mismatch
 *   interleavings: 1
 *   outcomes: {}
 *   where: truncation_by_rank.c:@
 * Each rank sends two numbers to each, and has room for one: the other's room says so before MPI does. Twin:
 * truncation_by_rank_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int data[4] = {0}, room[4] = {0};
    const int sent[2] = {2, 2}, from[2] = {0, 2}, got[2] = {1, 1}, to[2] = {0, 1};
    MPI_Init(NULL, NULL);
    MPI_Alltoallv(data, sent, from, MPI_INT, room, got, to, MPI_INT, MPI_COMM_WORLD); /*@*/
    MPI_Finalize();
    return 0;
}
