/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {2#0<-0 2#1<-1} {2#0<-1 2#1<-0}
 * A communicator made from a group in reverse order: its rank 0 is rank 2 of the world. Rank numbers must be
 * translated.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int order[3] = {2, 1, 0};
    int mine, sum = 0, got = -1;
    MPI_Group world, reverse;
    MPI_Comm backwards;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 3, order, &reverse);
    MPI_Comm_create(MPI_COMM_WORLD, reverse, &backwards);
    MPI_Comm_rank(backwards, &mine);
    assert(mine == 2 - rank);
    if (mine == 0) {
        for (int i = 0; i < 2; i++) {
            MPI_Status status;
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 3, backwards, &status);
            assert(got == 2 - status.MPI_SOURCE);
            sum += got;
        }
        assert(sum == 1);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 3, backwards);
    }
    MPI_Comm_free(&backwards);
    MPI_Group_free(&reverse);
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}
