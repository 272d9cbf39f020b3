/* DAMPI-TEST
 *   np: 6
 *   expect: deadlock
 *   interleavings: 1
 *   outcomes: {}
 * Three groups make an intercommunicator with each neighbour, and each begins with the next one: the leaders wait for
 * each other around the ring, their groups for them. Twin: intercomm_order_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Comm part, inter[2];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int group = rank / 2, next = (group + 1) % 3, previous = (group + 2) % 3;
    MPI_Comm_split(MPI_COMM_WORLD, group, rank, &part);
    MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, 2 * next, 12, &inter[0]);
    MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, 2 * previous, 12, &inter[1]);
    MPI_Comm_free(&inter[0]);
    MPI_Comm_free(&inter[1]);
    MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
