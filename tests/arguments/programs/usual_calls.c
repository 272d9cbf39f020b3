/* Calls like those of unusual_calls.c, about which nothing is to be said, and some that may look unusual and are not.
 * Two ranks; each call has to succeed. */
/* clang-format off */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#define W MPI_COMM_WORLD
#define N NULL
#define OK(call) do { if ((call) != MPI_SUCCESS) { fprintf(stderr, "line %d failed\n", __LINE__); MPI_Abort(W, 1); } } while (0)
static int rank, in[64], out[64], n, flag, two[1] = {2}, one[2] = {1, 1}, zero[2], ends[2] = {0, 1};
static MPI_Request request, requests[2];
static MPI_Status status, statuses[2];
static MPI_Datatype type, copy;
static MPI_Comm comm, inter;
static MPI_Op op;
static void add(void* a, void* b, int* l, MPI_Datatype* t) { for (int i = 0; i < *l; i++) ((int*)b)[i] += ((int*)a)[i]; (void)t; }
int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(W, &rank);
    const int peer = 1 - rank;
    /* the largest tag that is portable, and none in particular */
    OK(MPI_Irecv(out, 1, MPI_INT, peer, 32767, W, &request)); OK(MPI_Send(in, 1, MPI_INT, peer, 32767, W)); OK(MPI_Wait(&request, &status));
    OK(MPI_Sendrecv(in, 1, MPI_INT, peer, 0, out, 1, MPI_INT, peer, MPI_ANY_TAG, W, &status));
    OK(MPI_Sendrecv_replace(in, 1, MPI_INT, peer, 32767, peer, 32767, W, &status));
    /* nobody: neighbours of the first and the last */
    OK(MPI_Send(N, 0, MPI_INT, MPI_PROC_NULL, 0, W)); OK(MPI_Recv(N, 0, MPI_INT, MPI_PROC_NULL, 0, W, &status));
    /* to itself, without waiting */
    OK(MPI_Irecv(out, 1, MPI_INT, rank, 1, W, &requests[0])); OK(MPI_Isend(in, 1, MPI_INT, rank, 1, W, &requests[1])); OK(MPI_Waitall(2, requests, statuses));
    OK(MPI_Send_init(in, 1, MPI_INT, rank, 1, W, &requests[0])); OK(MPI_Recv_init(out, 1, MPI_INT, rank, 1, W, &requests[1]));
    for (int i = 0; i < 2; i++) { OK(MPI_Startall(2, requests)); OK(MPI_Waitall(2, requests, statuses)); }
    OK(MPI_Request_free(&requests[0])); OK(MPI_Request_free(&requests[1]));
    /* some of the requests are null, and waiting for any until there is none left */
    OK(MPI_Irecv(out, 1, MPI_INT, peer, 2, W, &requests[1])); OK(MPI_Send(in, 1, MPI_INT, peer, 2, W)); OK(MPI_Waitall(2, requests, statuses));
    OK(MPI_Irecv(out, 1, MPI_INT, peer, 2, W, &requests[1])); OK(MPI_Send(in, 1, MPI_INT, peer, 2, W));
    do { OK(MPI_Waitany(2, requests, &n, &status)); } while (n != MPI_UNDEFINED);
    OK(MPI_Waitall(0, N, MPI_STATUSES_IGNORE));
    OK(MPI_Irecv(out, 1, MPI_INT, peer, 3, W, &request)); OK(MPI_Cancel(&request)); OK(MPI_Wait(&request, &status));
    /* collectives of two processes; ranks without data */
    OK(MPI_Barrier(W)); OK(MPI_Allreduce(in, out, 1, MPI_INT, MPI_SUM, W)); OK(MPI_Bcast(in, 1, MPI_INT, 0, W));
    OK(MPI_Allgatherv(in, rank, MPI_INT, out, ends, zero, MPI_INT, W)); OK(MPI_Alltoallv(in, zero, zero, MPI_INT, out, zero, zero, MPI_INT, W));
    OK(MPI_Reduce(in, out, 1, MPI_INT, MPI_SUM, 0, W)); OK(MPI_Iallreduce(in, out, 1, MPI_INT, MPI_MAX, W, &request)); OK(MPI_Wait(&request, &status));
    /* datatypes */
    OK(MPI_Type_contiguous(2, MPI_INT, &type)); OK(MPI_Type_commit(&type)); OK(MPI_Type_dup(type, &copy)); OK(MPI_Type_free(&copy)); OK(MPI_Type_free(&type));
    OK(MPI_Type_contiguous(2, MPI_INT, &type)); OK(MPI_Type_commit(&type)); OK(MPI_Type_free(&type));
    /* an intercommunicator of two groups of one process has two */
    OK(MPI_Comm_split(W, rank, 0, &comm)); OK(MPI_Intercomm_create(comm, 0, W, peer, 5, &inter)); OK(MPI_Barrier(inter));
    OK(MPI_Irecv(out, 1, MPI_INT, 0, 1, inter, &request)); OK(MPI_Send(in, 1, MPI_INT, 0, 1, inter)); OK(MPI_Wait(&request, &status));
    OK(MPI_Comm_free(&comm)); OK(MPI_Intercomm_merge(inter, rank, &comm)); OK(MPI_Comm_free(&comm)); OK(MPI_Comm_free(&inter));
    /* topologies and operators */
    OK(MPI_Cart_create(W, 1, two, one, 1, &comm)); OK(MPI_Comm_free(&comm));
    OK(MPI_Op_create(add, 1, &op)); OK(MPI_Op_free(&op)); OK(MPI_Op_create(add, 0, &op)); OK(MPI_Op_free(&op));
    (void)flag;
    MPI_Finalize();
    return 0;
}
