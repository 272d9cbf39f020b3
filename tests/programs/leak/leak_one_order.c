/* DAMPI-TEST
 *   np: 3
 *   expect: leak/datatype
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * A leak on a path that only one of the two orders takes. Twin: leak_one_order_ok.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, row[2] = {0, 0};
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Status status;
        MPI_Recv(&row[0], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Recv(&row[1], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(row[0] + row[1] == 3);
        if (status.MPI_SOURCE == 2) {
            /* the rare order is packed with a type of its own */
            MPI_Datatype swapped;
            int bytes;
            MPI_Type_contiguous(2, MPI_INT, &swapped);
            MPI_Type_size(swapped, &bytes);
            assert(bytes == 8);
        }
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
