/* Four ranks; when the messages of the three workers are there, the master takes one of each in a way that the argument
 * chooses. */
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int is(const char* a, const char* b) { return strcmp(a, b) == 0; }

int main(int argc, char** argv) {
    int rank, got[2] = {-1, -1}, first = -1, sum = 0;
    MPI_Status status, statuses[2];
    MPI_Request request, requests[2];
    MPI_Message message;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char* how = argv[1];
    const int tag = is(how, "any_tag") ? MPI_ANY_TAG : 7;
    /* A receive that takes the first of rank 1's messages before any wildcard, and MPI knows while nobody has asked. */
    const int named = is(how, "pending");
    if (rank == 0 && named) MPI_Irecv(&got[1], 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &requests[0]);
    if (rank != 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
        if (rank == 1 && named) MPI_Send(&rank, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
        /* What fits nothing, and what fits less. */
        MPI_Send(&rank, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0 && is(how, "two")) { /* both posted before either is asked for; then the third */
        MPI_Irecv(&got[0], 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&got[1], 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, statuses);
        assert(got[0] == statuses[0].MPI_SOURCE && got[1] == statuses[1].MPI_SOURCE && got[0] != got[1]);
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status);
        assert(first + got[0] + got[1] == 6);
    } else if (rank == 0) {
        if (is(how, "persistent")) MPI_Recv_init(&got[0], 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &request);
        for (int i = 0; i < 3; i++) {
            if (is(how, "irecv")) {
                MPI_Irecv(&got[0], 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &request);
                MPI_Wait(&request, &status);
            } else if (is(how, "persistent")) {
                MPI_Start(&request);
                MPI_Wait(&request, &status);
            } else if (is(how, "probe")) {
                MPI_Probe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status);
                MPI_Recv(&got[0], 1, MPI_INT, status.MPI_SOURCE, 7, MPI_COMM_WORLD, &status);
            } else if (is(how, "mprobe")) {
                MPI_Mprobe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &message, &status);
                MPI_Mrecv(&got[0], 1, MPI_INT, &message, &status);
            } else if (is(how, "sendrecv")) {
                MPI_Sendrecv(&rank, 1, MPI_INT, MPI_PROC_NULL, 0, &got[0], 1, MPI_INT, MPI_ANY_SOURCE, 7,
                             MPI_COMM_WORLD, &status);
            } else {
                MPI_Recv(&got[0], 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status);
            }
            assert(got[0] == status.MPI_SOURCE);
            assert(i != 0 || status.MPI_TAG == 7); /* a worker's second message never comes first */
            sum += got[0];
        }
        assert(tag == MPI_ANY_TAG || sum == 6);
        if (is(how, "persistent")) MPI_Request_free(&request);
        if (named) MPI_Wait(&requests[0], &status);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) { /* the rest */
        int flag;
        for (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status); flag;
             MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status)) {
            MPI_Recv(got, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
    return 0;
}
