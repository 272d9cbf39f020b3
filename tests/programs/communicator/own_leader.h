#include <mpi.h>
#include <stddef.h>

/* Both halves of the world are joined; `remote` is the rank in it of the other half's leader. */
static int rank;
static MPI_Comm half, joined;

static void begin(void) {
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
}

static void end(void) {
    MPI_Comm_free(&joined);
    MPI_Comm_free(&half);
    MPI_Finalize();
}
