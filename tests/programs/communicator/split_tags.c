/* DAMPI-TEST
 *   np: 5
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-2 0#1<-4 1#0<-3} {0#0<-4 0#1<-2 1#0<-3}
 * Even and odd ranks talk with the same tag in the two parts of a split, and on MPI_COMM_WORLD besides. In a part,
 * ranks have other numbers than in the world.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm part;
    int mine, got = -1;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &part);
    MPI_Comm_rank(part, &mine);
    if (mine == 0) {
        int size, seen = 0;
        MPI_Comm_size(part, &size);
        assert(size == (rank == 0 ? 3 : 2));
        for (int i = 1; i < size; i++) {
            MPI_Status status;
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, part, &status);
            assert(got == 2 * status.MPI_SOURCE + rank);
            seen += status.MPI_SOURCE;
        }
        assert(seen == size * (size - 1) / 2);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, part);
    }
    if (rank == 1) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Recv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(got == 1);
    }
    MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
