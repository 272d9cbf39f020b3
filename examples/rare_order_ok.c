/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {0#0<-1 0#1<-2}
 * Each kind of message has a tag of its own, so nothing depends on who is faster. Twin: rare_order.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { SLOTS = 8, TAG_SLOT = 1, TAG_VALUE = 2 };

static double table[SLOTS];

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        /* rank 1 says which slot of the table is meant, rank 2 what belongs into it */
        int slot, value;
        MPI_Recv(&slot, 1, MPI_INT, MPI_ANY_SOURCE, TAG_SLOT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, TAG_VALUE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        table[slot] += value;
        printf("slot %d: %.0f\n", slot, table[slot]);
    } else if (rank == 1) {
        int slot = 3;
        MPI_Send(&slot, 1, MPI_INT, 0, TAG_SLOT, MPI_COMM_WORLD);
    } else if (rank == 2) {
        int value = 500000000;
        usleep(200000); /* a long computation */
        MPI_Send(&value, 1, MPI_INT, 0, TAG_VALUE, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
