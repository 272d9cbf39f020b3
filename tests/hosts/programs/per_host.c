/* Each rank says how many ranks its host has, and much data and many calls get from there to the others. */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { many = 1 << 20, calls = 4000 };

/* Calls of more bytes than a rank's memory for them has room for, were it not given back. */
static void call_much(void) {
    static MPI_Request requests[calls];
    static MPI_Status statuses[calls];
    int nothing = 0;
    for (int round = 0; round < 40; round++) {
        for (int i = 0; i < calls; i++) MPI_Irecv(&nothing, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[i]);
        MPI_Waitall(calls, requests, statuses);
    }
}

int main(int argc, char** argv) {
    int rank, size, on_host;
    MPI_Comm host;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_size(host, &on_host);
    printf("rank %d is one of %d\n", rank, on_host);
    int* data = malloc(many * sizeof *data);
    assert(data != NULL);
    for (int round = 0; round < 9; round++) {
        const int root = round % size;
        for (int i = 0; i < many; i++) data[i] = rank == root ? i ^ round : -1;
        MPI_Bcast(data, many, MPI_INT, root, MPI_COMM_WORLD);
        for (int i = 0; i < many; i++) assert(data[i] == (i ^ round));
        MPI_Request request;
        int got = -1, flag = 0;
        MPI_Irecv(&got, 1, MPI_INT, (rank + size - 1) % size, round, MPI_COMM_WORLD, &request);
        MPI_Send(&round, 1, MPI_INT, (rank + 1) % size, round, MPI_COMM_WORLD);
        while (!flag) MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE); /* told once more below */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        assert(got == round);
    }
    free(data);
    call_much();
    MPI_Comm_free(&host);
    MPI_Finalize();
    return 0;
}
