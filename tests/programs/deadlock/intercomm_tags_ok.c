/* DAMPI-TEST
 *   np: 5
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * The same two leaders, twice with the same tag and once with another. Rank 4 is in none of these. Twin:
 * intercomm_tags.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Comm part, inter;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int group = rank / 2;
    MPI_Comm_split(MPI_COMM_WORLD, group, rank, &part);
    for (int i = 0; i < 3 && group != 2; i++) {
        MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, group == 0 ? 2 : 0, 7 + i / 2, &inter);
        MPI_Comm_free(&inter);
    }
    MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
