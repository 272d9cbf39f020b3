/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * Further ways to a communicator: a nonblocking duplicate, one made by a group alone, a duplicate of MPI_COMM_SELF; a
 * wildcard on the nonblocking duplicate.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm twin, pair, self;
    MPI_Request h;
    MPI_Group world, two;
    const int members[2] = {0, 2};
    int size;
    MPI_Comm_idup(MPI_COMM_WORLD, &twin, &h);
    MPI_Wait(&h, MPI_STATUS_IGNORE);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 2, members, &two);
    if (rank != 1) {
        MPI_Comm_create_group(MPI_COMM_WORLD, two, 7, &pair);
        MPI_Comm_size(pair, &size);
        assert(size == 2);
        MPI_Barrier(pair);
        MPI_Comm_free(&pair);
    }
    MPI_Comm_dup(MPI_COMM_SELF, &self);
    MPI_Comm_size(self, &size);
    assert(size == 1);
    if (rank == 0) {
        int sum = 0;
        for (int i = 0; i < 2; i++) {
            int got = 0;
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, twin, MPI_STATUS_IGNORE);
            sum += got;
        }
        assert(sum == 3);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, twin);
    }
    MPI_Comm_free(&self);
    MPI_Group_free(&two);
    MPI_Group_free(&world);
    MPI_Comm_free(&twin);
    MPI_Finalize();
    return 0;
}
