/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * A wildcard receive into absolute addresses (MPI_BOTTOM) with a receive type of which the message fills only a
 * part.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        static int pool[2][4];
        for (int i = 0; i < 2; i++) {
            const int length = 4;
            int count = -1;
            MPI_Aint place;
            MPI_Datatype four;
            MPI_Status status;
            pool[i][2] = 55;
            MPI_Get_address(pool[i], &place);
            MPI_Type_create_hindexed(1, &length, &place, MPI_INT, &four);
            MPI_Type_commit(&four);
            MPI_Recv(MPI_BOTTOM, 1, four, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
            MPI_Get_elements(&status, four, &count);
            assert(count == 2 && pool[i][0] == status.MPI_SOURCE && pool[i][2] == 55);
            MPI_Type_free(&four);
        }
        assert(pool[0][0] + pool[1][0] == 3);
    } else {
        int pair[2] = {rank, rank};
        MPI_Send(pair, 2, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
