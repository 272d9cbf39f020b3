/* DAMPI-TEST
 *   np: 3
 *   options: --max-interleavings 120
 *   expect: crash, incomplete
 * A server that polls by MPI_Testany over persistent receives from anybody, and adds what comes. Each client says at
 * its end that it has sent all, and when all have said so, the server stops. But which of the receives that are
 * complete MPI_Testany reports first is not said: what a client sent last may still be in one of the others. A plain
 * run hardly shows it. Twin: testany_server_ok.
 */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { VALUE = 1, ALL_SENT, RECEIVES = 2, VALUES = 1 };

static int sum, ended, own_work;

static void handle(int value, int tag) {
    if (tag == VALUE) sum += value;
    if (tag == ALL_SENT) ended++;
}

static void serve(int clients) {
    int values[RECEIVES];
    MPI_Request receives[RECEIVES];
    for (int i = 0; i < RECEIVES; i++)
        MPI_Recv_init(&values[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &receives[i]);
    MPI_Startall(RECEIVES, receives);
    while (ended < clients) {
        int which, flag;
        MPI_Status status;
        MPI_Testany(RECEIVES, receives, &which, &flag, &status);
        if (flag) {
            handle(values[which], status.MPI_TAG);
            MPI_Start(&receives[which]);
        } else if (own_work < 10) {
            own_work++; /* something to do in the meantime */
        }
    }
    printf("the sum is %d\n", sum);
    assert(sum == clients * VALUES); /*@*/
    for (int i = 0; i < RECEIVES; i++) {
        MPI_Cancel(&receives[i]);
        MPI_Wait(&receives[i], MPI_STATUS_IGNORE);
        MPI_Request_free(&receives[i]);
    }
}

int main(int argc, char** argv) {
    int rank, size, value = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        serve(size - 1);
    } else {
        for (int i = 0; i < VALUES; i++) MPI_Send(&value, 1, MPI_INT, 0, VALUE, MPI_COMM_WORLD);
        usleep(20000); /* it cleans up */
        MPI_Send(&value, 1, MPI_INT, 0, ALL_SENT, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
