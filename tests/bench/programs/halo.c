/* A halo exchange with nonblocking calls: each rank swaps four borders with its neighbours on a torus; the time of
 * one exchange, for borders of 64 B and 8 KiB. */
#include "measure.h"

#include <stdlib.h>

enum { BORDERS = 4 };

struct Halo {
    int neighbours[BORDERS], count;
    double *out[BORDERS], *in[BORDERS];
};

static void exchange(void* context) {
    const struct Halo* halo = context;
    MPI_Request requests[2 * BORDERS];
    MPI_Status statuses[2 * BORDERS];
    for (int i = 0; i < BORDERS; i++)
        MPI_Irecv(halo->in[i], halo->count, MPI_DOUBLE, halo->neighbours[i], i, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < BORDERS; i++) /* what goes out on one side comes in on the opposite one */
        MPI_Isend(halo->out[i], halo->count, MPI_DOUBLE, halo->neighbours[i], i ^ 1, MPI_COMM_WORLD,
                  &requests[BORDERS + i]);
    MPI_Waitall(2 * BORDERS, requests, statuses);
}

int main(int argc, char** argv) {
    static const int counts[] = {8, 1024};
    struct Halo halo;
    int rank, size;
    MPI_Init(&argc, &argv);
    spread_out();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    halo.neighbours[0] = (rank + 1) % size;
    halo.neighbours[1] = (rank + size - 1) % size;
    halo.neighbours[2] = halo.neighbours[3] = (rank + size / 2) % size;
    for (int i = 0; i < BORDERS; i++) {
        halo.out[i] = calloc(1024, sizeof(double));
        halo.in[i] = calloc(1024, sizeof(double));
    }
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        char name[40];
        snprintf(name, sizeof name, "halo/%d", (int)(counts[i] * sizeof(double)));
        halo.count = counts[i];
        measure(name, exchange, &halo, 1);
    }
    for (int i = 0; i < BORDERS; i++) {
        free(halo.out[i]);
        free(halo.in[i]);
    }
    MPI_Finalize();
    return 0;
}
