/* DAMPI-TEST
 *   np: 2
 *   expect: argument/rank
 *   interleavings: 1
 *   outcomes: {}
 *   where: any_source_destination.c:@
 * MPI_ANY_SOURCE is nobody whom a message can be sent to, in whatever way: MPI says so, and the program goes on.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

static int errors = 0;

static void send_in_all_ways(void) {
    int got = 0, value = 1;
    MPI_Request request = MPI_REQUEST_NULL;
    int codes[6] = {0};
    codes[0] = MPI_Send(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD); /*@*/
    codes[1] = MPI_Ssend(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD);
    codes[2] = MPI_Isend(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
    codes[3] = MPI_Send_init(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
    codes[4] =
        MPI_Sendrecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, &got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    codes[5] = MPI_Sendrecv_replace(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 6; i++) {
        int kind = 0;
        MPI_Error_class(codes[i], &kind);
        errors += kind == MPI_ERR_RANK;
    }
}

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 1) {
        send_in_all_ways();
        assert(errors == 6);
    }
    MPI_Finalize();
    return 0;
}
