#include <mpi.h>
#include <stddef.h>

static int rank;
static MPI_Comm half, joined, merged;

static void begin(void) {
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &joined);
}

static void end(void) {
    MPI_Comm_free(&merged);
    MPI_Comm_free(&joined);
    MPI_Comm_free(&half);
    MPI_Finalize();
}
