/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   interleavings: 3
 *   outcomes: {2#0<-0 2#1<-1 2#2<-3} {2#0<-1 2#1<-0 2#2<-3} {2#0<-1 2#1<-3 2#2<-0}
 * After figure 5.4: rank 3 sends only when rank 1's synchronous send has been received, so rank 3's message never
 * comes before rank 1's; rank 0's may come at any place. Twin with pending receives: ssend_pending.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int got[3] = {-1, -1, -1}, token = 0;
    if (rank == 0) {
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Ssend(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        MPI_Send(&token, 1, MPI_INT, 3, 0, MPI_COMM_WORLD);
    } else if (rank == 2) {
        for (int i = 0; i < 3; i++) MPI_Recv(&got[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        int place[4] = {-1, -1, -1, -1};
        for (int i = 0; i < 3; i++) place[got[i]] = i;
        assert(place[0] >= 0 && place[1] >= 0 && place[1] < place[3]);
    } else {
        MPI_Recv(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
