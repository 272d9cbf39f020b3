/* DAMPI-TEST
 *   np: 3
 *   options: --explore-polls 2
 *   expect: clean
 *   interleavings: 7
 *   outcomes: {0#0=none~1 1#0=none~1 2#0=none~1} {0#0=none~1 1#0=none~1 2#0<-1} {0#0=none~1 1#0<-0 2#0=none~1}
 *     {0#0<-2 1#0=none~1 2#0=none~1} {0#0=none~1 1#0<-0 2#0<-1} {0#0<-2 1#0=none~1 2#0<-1} {0#0<-2 1#0<-0 2#0=none~1}
 * All ranks poll at once: they are let answer "nothing yet" in turn until each has sent. Who is so early is a matter of
 * time; anything is possible but that the message is there for each of them. Without the option it depends on the first
 * run whether something is left out: false answers of two ranks are not added to the same run.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int got = -1, flag = 0;
    const int from = (rank + 2) % 3, to = (rank + 1) % 3;
    MPI_Iprobe(from, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Send(&rank, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
    MPI_Recv(&got, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(got == from);
    MPI_Finalize();
    return 0;
}
