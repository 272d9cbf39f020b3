/* DAMPI-TEST
 *   np: 5
 *   expect: clean
 *   interleavings: 4
 *   outcomes: {1#0<-3 1#1<-4 2#0<-3 2#1<-4} {1#0<-3 1#1<-4 2#0<-4 2#1<-3} {1#0<-4 1#1<-3 2#0<-3 2#1<-4}
 *     {1#0<-4 1#1<-3 2#0<-4 2#1<-3}
 * A tree: two inner ranks each collect from both leaves in any order, the root collects from the inner ranks by
 * name.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 0, got = 0;
    if (rank >= 3) {
        for (int inner = 1; inner <= 2; inner++) {
            value = 10 * rank + inner;
            MPI_Send(&value, 1, MPI_INT, inner, 0, MPI_COMM_WORLD);
        }
    } else if (rank > 0) {
        for (int i = 0; i < 2; i++) {
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            value += got;
        }
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        for (int inner = 1; inner <= 2; inner++) {
            MPI_Recv(&got, 1, MPI_INT, inner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            assert(got == 70 + 2 * inner);
        }
    }
    MPI_Finalize();
    return 0;
}
