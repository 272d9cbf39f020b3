/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 10
 *   outcomes: {0#0<-1 0#1<-1 0#2<-1 0#3<-2 0#4<-2} {0#0<-1 0#1<-1 0#2<-2 0#3<-1 0#4<-2}
 *     {0#0<-1 0#1<-1 0#2<-2 0#3<-2 0#4<-1} {0#0<-1 0#1<-2 0#2<-1 0#3<-1 0#4<-2}
 *     {0#0<-1 0#1<-2 0#2<-1 0#3<-2 0#4<-1} {0#0<-1 0#1<-2 0#2<-2 0#3<-1 0#4<-1}
 *     {0#0<-2 0#1<-1 0#2<-1 0#3<-1 0#4<-2} {0#0<-2 0#1<-1 0#2<-1 0#3<-2 0#4<-1}
 *     {0#0<-2 0#1<-1 0#2<-2 0#3<-1 0#4<-1} {0#0<-2 0#1<-2 0#2<-1 0#3<-1 0#4<-1}
 *   args: 3 2
 * A program with arguments: how many messages rank 1 and rank 2 send. The merges of 3 and 2 messages are 5! / (3!
 * 2!) = 10.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    assert(argc == 3);
    const int count[3] = {0, atoi(argv[1]), atoi(argv[2])};
    assert(count[1] == 3 && count[2] == 2);
    if (rank == 0) {
        int next[3] = {0, 0, 0};
        for (int i = 0; i < count[1] + count[2]; i++) {
            int got = -1;
            MPI_Status status;
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
            assert(got == next[status.MPI_SOURCE]);
            next[status.MPI_SOURCE]++;
        }
    } else {
        for (int i = 0; i < count[rank]; i++) MPI_Send(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
