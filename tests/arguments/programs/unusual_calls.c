/* Calls with an argument that is legal, but unusual. One rank. Twin: usual_calls.c. */
/* clang-format off */
#include <mpi.h>
#include <stddef.h>
#define W MPI_COMM_WORLD
#define S MPI_COMM_SELF
static int in[64], out[64], flag, one[1] = {1}, zero[1];
static MPI_Request request, requests[2];
static MPI_Status status, statuses[2];
static MPI_Datatype type;
static MPI_Comm comm;
static MPI_Op op;
static void add(void* a, void* b, int* l, MPI_Datatype* t) { (void)a; (void)b; (void)l; (void)t; }
int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Irecv(out, 1, MPI_INT, 0, 32768, W, &request); //! unusual 5 tag
    MPI_Bsend(in, 0, MPI_INT, MPI_PROC_NULL, 40000, W); //! unusual 5 tag
    MPI_Isend(in, 1, MPI_INT, 0, 32768, W, &requests[0]); //! unusual 5 tag
    MPI_Wait(&request, &status); MPI_Wait(&requests[0], &status);
    MPI_Sendrecv(in, 1, MPI_INT, MPI_PROC_NULL, 70000, out, 1, MPI_INT, MPI_PROC_NULL, 0, W, &status); //! unusual 5 sendtag
    MPI_Sendrecv(in, 1, MPI_INT, MPI_PROC_NULL, 0, out, 1, MPI_INT, MPI_PROC_NULL, 70000, W, &status); //! unusual 10 recvtag
    MPI_Sendrecv_replace(in, 1, MPI_INT, MPI_PROC_NULL, 70000, MPI_PROC_NULL, 0, W, &status); //! unusual 5 sendtag
    MPI_Iprobe(0, 70000, W, &flag, &status); //! unusual 2 tag
    MPI_Irecv(out, 0, MPI_INT, 0, 1, W, &request); //! unusual 2 count
    MPI_Send(in, 1 - 1, MPI_INT, 0, 1, W); //! unusual 2 count
    MPI_Wait(&request, &status);
    MPI_Irecv(out, 1, MPI_INT, 0, 1, W, &request);
    MPI_Send(in, 1, MPI_INT, 0, 1, W); //! unusual 4 dest
    MPI_Wait(&request, &status);
    MPI_Irecv(out, 1, MPI_INT, 0, 1, W, &request);
    MPI_Ssend(in, 1, MPI_INT, 0, 1, W); //! unusual 4 dest
    MPI_Wait(&request, &status);
    MPI_Wait(&request, &status); //! unusual 1 request
    MPI_Test(&request, &flag, &status); //! unusual 1 request
    requests[1] = requests[0];
    MPI_Waitall(2, requests, statuses); //! unusual 2 array_of_requests
    MPI_Testall(2, requests, &flag, statuses); //! unusual 2 array_of_requests
    MPI_Recv_init(out, 1, MPI_INT, 0, 1, W, &request);
    MPI_Wait(&request, &status); //! unusual 1 request
    MPI_Request_free(&request); //! unusual 1 request
    MPI_Irecv(out, 1, MPI_INT, 0, 2, W, &request);
    MPI_Cancel(&request);
    MPI_Cancel(&request); //! unusual 1 request
    MPI_Wait(&request, &status);
    MPI_Barrier(W); //! unusual 1 comm
    MPI_Bcast(in, 1, MPI_INT, 0, W); //! unusual 5 comm
    MPI_Gather(in, 1, MPI_INT, out, 1, MPI_INT, 0, W); //! unusual 8 comm
    MPI_Gatherv(in, 1, MPI_INT, out, one, zero, MPI_INT, 0, W); //! unusual 9 comm
    MPI_Scatter(in, 1, MPI_INT, out, 1, MPI_INT, 0, W); //! unusual 8 comm
    MPI_Scatterv(in, one, zero, MPI_INT, out, 1, MPI_INT, 0, W); //! unusual 9 comm
    MPI_Allgather(in, 1, MPI_INT, out, 1, MPI_INT, W); //! unusual 7 comm
    MPI_Allgatherv(in, 1, MPI_INT, out, one, zero, MPI_INT, W); //! unusual 8 comm
    MPI_Alltoall(in, 1, MPI_INT, out, 1, MPI_INT, W); //! unusual 7 comm
    MPI_Alltoallv(in, one, zero, MPI_INT, out, one, zero, MPI_INT, W); //! unusual 9 comm
    MPI_Reduce(in, out, 1, MPI_INT, MPI_SUM, 0, W); //! unusual 7 comm
    MPI_Allreduce(in, out, 1, MPI_INT, MPI_SUM, W); //! unusual 6 comm
    MPI_Reduce_scatter(in, out, one, MPI_INT, MPI_SUM, W); //! unusual 6 comm
    MPI_Reduce_scatter_block(in, out, 1, MPI_INT, MPI_SUM, W); //! unusual 6 comm
    MPI_Scan(in, out, 1, MPI_INT, MPI_SUM, W); //! unusual 6 comm
    MPI_Exscan(in, out, 1, MPI_INT, MPI_SUM, W); //! unusual 6 comm
    MPI_Iallreduce(in, out, 1, MPI_INT, MPI_SUM, W, &request); //! unusual 6 comm
    MPI_Wait(&request, &status);
    type = MPI_INT; MPI_Type_commit(&type); //! unusual 1 datatype
    MPI_Type_contiguous(2, MPI_INT, &type); MPI_Type_commit(&type);
    MPI_Type_commit(&type); //! unusual 1 datatype
    MPI_Type_free(&type);
    MPI_Cart_create(S, 1, one, (int[]){2}, 0, &comm); MPI_Comm_free(&comm); //! unusual 4 periods
    MPI_Cart_create(S, 1, one, zero, -1, &comm); MPI_Comm_free(&comm); //! unusual 5 reorder
    MPI_Op_create(add, 7, &op); MPI_Op_free(&op); //! unusual 2 commute
    MPI_Finalize();
    return 0;
}
