#include <mpi.h>
#include <stddef.h>

static int rank, value = 7, got;
static MPI_Request request;

static void begin(void) {
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
}

/* Rank 0 sends two messages, one after the other. */
static void send_both(void) {
    MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
}

static void receive_answer(void) { MPI_Recv(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
static void receive_second(void) {
    int second;
    MPI_Recv(&second, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
