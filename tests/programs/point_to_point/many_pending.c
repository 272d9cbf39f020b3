/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 * So many receives are pending that the call which waits for all of them takes a good part of the room for calls.
 */
#include <assert.h>
#include <mpi.h>

enum { COUNT = 40000 };

static int values[COUNT];
static MPI_Request receives[COUNT];
static MPI_Status statuses[COUNT];

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < COUNT; i++) MPI_Irecv(&values[i], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &receives[i]);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Waitall(COUNT, receives, statuses);
        for (int i = 0; i < COUNT; i++) assert(values[i] == i);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < COUNT; i++) MPI_Send(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
