/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 8
 *   outcomes: {0#0<-1 0#1<-1 0#2<-1 0#3<-2} {0#0<-1 0#1<-1 0#2<-2 0#3<-1} {0#0<-1 0#1<-2 0#2<-1 0#3<-2}
 *     {0#0<-1 0#1<-2 0#2<-2 0#3<-1} {0#0<-2 0#1<-1 0#2<-1 0#3<-2} {0#0<-2 0#1<-1 0#2<-2 0#3<-1}
 *     {0#0<-2 0#1<-2 0#2<-1 0#3<-2} {0#0<-2 0#1<-2 0#2<-2 0#3<-1}
 * Work stealing: rank 0 works on its own queue and gives every second item to a thief, as long as there are any.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

enum { TAG_STEAL = 1, TAG_ITEM = 2, TAG_EMPTY = 3, ITEMS = 4 };

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int done = 0, total = 0, ignored = 0;
    if (rank == 0) {
        int items = ITEMS, thieves = 2;
        MPI_Status status;
        while (items > 0) {
            items--;
            done++;
            if (items == 0) break;
            MPI_Recv(&ignored, 0, MPI_INT, MPI_ANY_SOURCE, TAG_STEAL, MPI_COMM_WORLD, &status);
            items--;
            MPI_Send(&items, 1, MPI_INT, status.MPI_SOURCE, TAG_ITEM, MPI_COMM_WORLD);
        }
        for (; thieves > 0; thieves--) {
            MPI_Recv(&ignored, 0, MPI_INT, MPI_ANY_SOURCE, TAG_STEAL, MPI_COMM_WORLD, &status);
            MPI_Send(&items, 1, MPI_INT, status.MPI_SOURCE, TAG_EMPTY, MPI_COMM_WORLD);
        }
    } else {
        for (;;) {
            MPI_Status status;
            int item;
            MPI_Send(&ignored, 0, MPI_INT, 0, TAG_STEAL, MPI_COMM_WORLD);
            MPI_Recv(&item, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            if (status.MPI_TAG == TAG_EMPTY) break;
            done++;
        }
    }
    MPI_Reduce(&done, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    assert(rank != 0 || total == ITEMS);
    MPI_Finalize();
    return 0;
}
