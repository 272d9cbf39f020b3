/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 3
 *   outcomes: {0#0=0} {0#0=1} {0#0=0+1}
 * MPI_Waitsome chooses which completions come first, and how many.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int got[2] = {0, 0}, done = 0;
        MPI_Request h[2];
        MPI_Irecv(&got[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &h[0]);
        MPI_Irecv(&got[1], 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &h[1]);
        while (done < 2) {
            int count = 0, which[2] = {-1, -1};
            MPI_Status s[2];
            MPI_Waitsome(2, h, &count, which, s);
            for (int i = 0; i < count; i++) assert(got[which[i]] == which[i] + 1 && s[i].MPI_SOURCE == which[i] + 1);
            done += count;
        }
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
