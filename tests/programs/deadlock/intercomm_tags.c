/* DAMPI-TEST
 *   np: 5
 *   expect: deadlock, incomplete
 *   interleavings: 1
 *   outcomes: {}
 *   where: intercomm_tags.c:@
 * The leaders of two groups look for each other with different tags. Rank 4 computes for ever: what the others do must
 * be enough to see the deadlock. Twin: intercomm_tags_ok.
 */
#include <mpi.h>
#include <stddef.h>
#include <unistd.h>

int main(void) {
    int rank;
    MPI_Comm part, inter;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int group = rank / 2;
    MPI_Comm_split(MPI_COMM_WORLD, group, rank, &part);
    while (group == 2) usleep(1000);
    MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, group == 0 ? 2 : 0, group, &inter); /*@*/
    MPI_Comm_free(&inter);
    MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
