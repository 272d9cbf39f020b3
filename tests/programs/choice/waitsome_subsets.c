/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   interleavings: 13
 *   outcomes: {0#0=0+1+2} {0#0=0+1} {0#0=0+2} {0#0=1+2}
 *     {0#0=0 0#1=1} {0#0=0 0#1=2} {0#0=0 0#1=1+2}
 *     {0#0=1 0#1=0} {0#0=1 0#1=2} {0#0=1 0#1=0+2}
 *     {0#0=2 0#1=0} {0#0=2 0#1=1} {0#0=2 0#1=0+1}
 * All ways in which three completions can be reported: the ordered partitions of a set of three. The last
 * one alone leaves nothing to choose.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int got[3] = {0, 0, 0}, done = 0;
        MPI_Request h[3];
        for (int i = 0; i < 3; i++) MPI_Irecv(&got[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &h[i]);
        while (done < 3) {
            int count = 0, which[3];
            MPI_Status s[3];
            MPI_Waitsome(3, h, &count, which, s);
            assert(count > 0);
            for (int i = 0; i < count; i++) assert(got[which[i]] == which[i] + 1 && s[i].MPI_SOURCE == which[i] + 1);
            done += count;
        }
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
