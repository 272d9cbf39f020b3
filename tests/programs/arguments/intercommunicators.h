#include <assert.h>
#include <mpi.h>
#include <stddef.h>

static int rank, one = 1, sum;
static MPI_Comm own, inter, made = MPI_COMM_NULL;
static MPI_Request request = MPI_REQUEST_NULL;

static int class_of(int code) {
    int class;
    MPI_Error_class(code, &class);
    return class;
}

/* Two ranks, each of which is a group. */
static void begin(void) {
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &own);
    MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, 1 - rank, 5, &inter);
}

static void end(void) {
    MPI_Comm_free(&inter);
    MPI_Comm_free(&own);
    MPI_Finalize();
}
