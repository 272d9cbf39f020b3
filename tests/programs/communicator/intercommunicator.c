/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-2 0#1<-3} {0#0<-3 0#1<-2}
 * Wildcard receives from the remote group of an intercommunicator; a merge brings the groups together.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm part, inter, all;
    const int color = rank / 2;
    int mine, remote, got = -1;
    MPI_Comm_split(MPI_COMM_WORLD, color, rank, &part);
    MPI_Comm_rank(part, &mine);
    MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, color == 0 ? 2 : 0, 12, &inter);
    MPI_Comm_remote_size(inter, &remote);
    assert(remote == 2);
    if (color == 1) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, inter);
    } else if (mine == 0) {
        int sum = 0;
        for (int i = 0; i < 2; i++) {
            MPI_Status status;
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, inter, &status);
            assert(got == 2 + status.MPI_SOURCE); /* the rank in the remote group */
            sum += got;
        }
        assert(sum == 5);
    }
    MPI_Intercomm_merge(inter, color, &all);
    MPI_Comm_size(all, &remote);
    MPI_Comm_rank(all, &mine);
    assert(remote == 4 && mine == rank);
    MPI_Comm_free(&all);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
