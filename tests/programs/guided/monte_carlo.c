/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 6
 *   outcomes: {0#0<-1 0#1<-1 0#2<-2 0#3<-2} {0#0<-1 0#1<-2 0#2<-1 0#3<-2} {0#0<-1 0#1<-2 0#2<-2 0#3<-1}
 *     {0#0<-2 0#1<-1 0#2<-1 0#3<-2} {0#0<-2 0#1<-1 0#2<-2 0#3<-1} {0#0<-2 0#1<-2 0#2<-1 0#3<-1}
 * Pi by Monte Carlo: the collector takes any message of any tag until all workers have said that they are done.
 * Merges of two and two messages: 6.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

enum { TAG_HITS = 1, TAG_DONE = 2, POINTS = 1000 };

/* A generator of its own, so that every run is the same. */
static unsigned step(unsigned* state) {
    *state = *state * 1103515245u + 12345u;
    return (*state >> 16) & 0x7fff;
}

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int working = 2, hits = 0, batches = 0;
        while (working > 0) {
            int got;
            MPI_Status status;
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            if (status.MPI_TAG == TAG_DONE) {
                working--;
            } else {
                hits += got;
                batches++;
            }
        }
        const double pi = 4.0 * hits / (batches * POINTS);
        assert(batches == 2 && pi > 2.9 && pi < 3.4);
    } else {
        unsigned state = 17u * (unsigned)rank;
        int hits = 0;
        for (int i = 0; i < POINTS; i++) {
            const double x = step(&state) / 32768.0, y = step(&state) / 32768.0;
            hits += x * x + y * y < 1;
        }
        MPI_Send(&hits, 1, MPI_INT, 0, TAG_HITS, MPI_COMM_WORLD);
        MPI_Send(&hits, 1, MPI_INT, 0, TAG_DONE, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
