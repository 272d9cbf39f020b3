/* DAMPI-TEST
 *   np: 3
 *   expect: crash
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 *   where: rare_order.c:29
 * Rank 0 relies on the message of rank 1 coming first. It always does, because rank 2 computes for so long; but MPI
 * promises nothing of the kind, and on the day when rank 2 is faster, the table is written far outside its bounds.
 * A plain run practically never shows it. Twin: rare_order_ok.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { SLOTS = 8, TAG_SLOT = 1, TAG_VALUE = 1 };

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
