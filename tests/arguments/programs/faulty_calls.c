/* Calls with one wrong argument each, which is told after the mark of its line: the kind of the finding, the argument's
 * position and its name. Errors are returned, so all of them are made in one run. */
/* clang-format off */
#define _GNU_SOURCE
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* The line that is run alone, to see what MPICH does; 0: all. */
static int selected;
#define FAULT if (selected == 0 || selected == __LINE__)
#ifdef CENTRAL /* the centralized engine has no windows and the like, and judges some topologies less exactly */
#define NOT_CENTRAL if (0)
#else
#define NOT_CENTRAL
#endif
#define W MPI_COMM_WORLD
#define N NULL
static void* null_pointer;
static int one[4] = {1, 1, 1, 1}, zero[4], neg[4] = {-1, -1, -1, -1}, in[64], out[64], flag, index_, n, two[4] = {2, 2, 2, 2}, seven[4] = {7,7,7,7};
static MPI_Aint disp[4], adr; static int n_ints[4]; static MPI_Datatype types2[4];
static MPI_Datatype types[4], type, made_, uncommitted, copy, pair;
static MPI_Comm comm, dup_, cart, graph, inter, gonec;
static MPI_Group group, group2, goneg;
static MPI_Op op, oneop, goneop;
static MPI_Request request, requests[4], goner;
static MPI_Status status, statuses[4];
static MPI_Info info, gonei;
static MPI_Errhandler handler, goneh;
static MPI_Win win, gonew;
static MPI_File file;
static MPI_Message message;
static int keyval;
static int ranges[2][3] = {{0, 0, 1}, {0, 0, 1}}; static int badrange[1][3] = {{0, 3, 1}}; static int zrange[1][3] = {{0, 0, 0}};
static char text[MPI_MAX_OBJECT_NAME * 64];
static void add(void* a, void* b, int* l, MPI_Datatype* t) { (void)a; (void)b; (void)l; (void)t; }
static void ignore(MPI_Comm* c, int* e, ...) { (void)c; (void)e; }
int main(int argc, char** argv) {
    selected = argc > 1 ? atoi(argv[1]) : 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    for (int i = 0; i < 4; i++) types[i] = MPI_INT, requests[i] = MPI_REQUEST_NULL;
    int dims1[1] = {1}, periods1[1] = {0}, gi[1] = {0};
    MPI_Cart_create(W, 1, dims1, periods1, 0, &cart);
    MPI_Graph_create(W, 1, gi, gi, 0, &graph);
    MPI_Type_contiguous(2, MPI_INT, &uncommitted);
    MPI_Type_contiguous(2, MPI_INT, &pair); MPI_Type_commit(&pair);
    MPI_Comm_group(W, &group);
    NOT_CENTRAL MPI_Win_create(in, sizeof in, sizeof(int), MPI_INFO_NULL, W, &win);
    NOT_CENTRAL MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Type_contiguous(3, MPI_INT, &type); MPI_Type_commit(&type); copy = type; MPI_Type_free(&type);
    MPI_Comm_dup(W, &gonec); comm = gonec; MPI_Comm_free(&comm);
    MPI_Group_incl(group, 1, zero, &goneg); group2 = goneg; if (0) MPI_Group_free(&group2);
    MPI_Op_create(add, 1, &op); goneop = op; MPI_Op_free(&op);
    MPI_Info_create(&gonei); info = gonei; MPI_Info_free(&info);
    MPI_Comm_create_errhandler((MPI_Comm_errhandler_function*)ignore, &goneh); handler = goneh; MPI_Errhandler_free(&handler);
    FAULT MPI_Bcast(in, 1, MPI_INT, 0, gonec); //! argument/communicator 5 comm
    FAULT MPI_Comm_dup(gonec, &comm); //! argument/communicator 1 comm
    FAULT { comm = gonec; MPI_Comm_free(&comm); } //! argument/communicator 1 comm
    FAULT MPI_Comm_size(gonec, &n); //! argument/communicator 1 comm
    FAULT MPI_Comm_compare(W, gonec, &n); //! argument/communicator 2 comm2
    /* buffers and counts */
    FAULT MPI_Send(N, 1, MPI_INT, 0, 0, MPI_COMM_SELF); //! argument/buffer 1 buf
    FAULT MPI_Send(in, -1, MPI_INT, MPI_PROC_NULL, 0, W); //! argument/count 2 count
    FAULT MPI_Send(in, 1, MPI_DATATYPE_NULL, MPI_PROC_NULL, 0, W); //! argument/datatype 3 datatype
    FAULT MPI_Send(in, 1, uncommitted, MPI_PROC_NULL, 0, W); //! argument/datatype 3 datatype
    FAULT MPI_Send(in, 1, MPI_INT, -7, 0, W); //! argument/rank 4 dest
    FAULT MPI_Send(in, 1, MPI_INT, MPI_PROC_NULL, -1, W); //! argument/tag 5 tag
    FAULT MPI_Send(in, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, W); //! argument/tag 5 tag
    FAULT MPI_Send(in, 1, MPI_INT, MPI_PROC_NULL, 2147483647, W); //! argument/tag 5 tag
    FAULT MPI_Send(in, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_NULL); //! argument/communicator 6 comm
    FAULT MPI_Isend(in, 1, MPI_INT, MPI_PROC_NULL, 0, W, N); //! argument/value 7 request
    FAULT MPI_Isend(in, 1, uncommitted, MPI_PROC_NULL, 0, W, &request); //! argument/datatype 3 datatype
    FAULT MPI_Send_init(in, 1, uncommitted, MPI_PROC_NULL, 0, W, &request); //! argument/datatype 3 datatype
    FAULT MPI_Recv(N, 1, MPI_INT, MPI_PROC_NULL, 0, W, &status); //! argument/buffer 1 buf
    FAULT MPI_Recv(out, 1, MPI_INT, MPI_PROC_NULL, 0, W, N); //! argument/value 7 status
    FAULT MPI_Recv(out, 1, MPI_INT, 5, 0, W, &status); //! argument/rank 4 source
    FAULT MPI_Recv(out, 1, MPI_INT, MPI_PROC_NULL, -3, W, &status); //! argument/tag 5 tag
    FAULT MPI_Irecv(out, -2, MPI_INT, MPI_PROC_NULL, 0, W, &request); //! argument/count 2 count
    FAULT MPI_Sendrecv(in, 1, MPI_INT, 0, 0, out, -1, MPI_INT, 0, 0, MPI_COMM_SELF, &status); //! argument/count 7 recvcount
    FAULT MPI_Sendrecv(in, 1, MPI_INT, 0, -5, out, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &status); //! argument/tag 5 sendtag
    FAULT MPI_Sendrecv_replace(in, 1, uncommitted, 0, 0, 0, 0, MPI_COMM_SELF, &status); //! argument/datatype 3 datatype
    FAULT MPI_Probe(0, -9, W, &status); //! argument/tag 2 tag
    FAULT MPI_Iprobe(77, 0, W, &flag, &status); //! argument/rank 1 source
    FAULT MPI_Iprobe(0, 0, W, &flag, N); //! argument/value 5 status
    FAULT MPI_Mrecv(out, 1, MPI_INT, &message, &status); //! argument/request 4 message
    FAULT MPI_Mrecv(out, 1, MPI_INT, N, &status); //! argument/value 4 message
    FAULT MPI_Buffer_attach(N, 10); //! argument/value 1 buffer
    FAULT MPI_Buffer_attach(text, -1); //! argument/value 2 size
    FAULT { MPI_Buffer_attach(text, 1000); MPI_Buffer_attach(text + 2000, 1000); } //! argument/buffer 1 buffer
    FAULT { void* p; MPI_Buffer_detach(&p, &n); MPI_Buffer_detach(&p, N); } //! argument/value 2 size
    FAULT MPI_Buffer_detach(N, &n); //! argument/value 1 buffer_addr
    FAULT MPI_Bsend(in, 1, MPI_INT, 0, 0, W); //! argument/buffer 1 buf
    FAULT MPI_Get_count(N, MPI_INT, &n); //! argument/value 1 status
    FAULT MPI_Get_count(&status, MPI_INT, N); //! argument/value 3 count
    FAULT MPI_Get_count(&status, MPI_DATATYPE_NULL, &n); //! argument/datatype 2 datatype
    FAULT MPI_Get_elements(N, MPI_INT, &n); //! argument/value 1 status
    FAULT MPI_Get_address(in, N); //! argument/value 2 address
    /* requests */
    FAULT MPI_Wait(N, &status); //! argument/value 1 request
    FAULT MPI_Waitall(2, N, statuses); //! argument/value 2 array_of_requests
    FAULT MPI_Waitall(-1, requests, statuses); //! argument/count|argument/value 1 count
    FAULT MPI_Waitall(2, requests, N); //! argument/value 3 array_of_statuses
    FAULT MPI_Waitany(2, requests, &index_, N); //! argument/value 4 status
    FAULT MPI_Waitsome(2, requests, &n, N, statuses); //! argument/value 4 array_of_indices
    FAULT MPI_Wait(requests, N); //! argument/value 2 status
    FAULT MPI_Test(requests, &flag, N); //! argument/value 3 status
    FAULT MPI_Start(N); //! argument/value 1 request
    FAULT MPI_Start(requests); //! argument/request 1 request
    FAULT MPI_Startall(2, N); //! argument/value 2 array_of_requests
    FAULT MPI_Startall(-2, requests); //! argument/count|argument/value 1 count
    FAULT MPI_Startall(2, requests); //! argument/request 2 array_of_requests
    FAULT { MPI_Irecv(out, 1, MPI_INT, 0, 99, MPI_COMM_SELF, &request); MPI_Start(&request); MPI_Cancel(&request); MPI_Wait(&request, &status); } //! argument/request 1 request
    FAULT { MPI_Recv_init(out, 1, MPI_INT, 0, 98, MPI_COMM_SELF, &request); MPI_Start(&request); MPI_Start(&request); MPI_Cancel(&request); MPI_Wait(&request, &status); MPI_Request_free(&request); } //! argument/request 1 request
    FAULT { request = MPI_REQUEST_NULL; MPI_Request_free(&request); } //! argument/request 1 request
    FAULT { request = MPI_REQUEST_NULL; MPI_Cancel(&request); } //! argument/request 1 request
    FAULT MPI_Request_free(N); //! argument/value 1 request
    FAULT MPI_Cancel(N); //! argument/value 1 request
    FAULT MPI_Request_get_status(MPI_REQUEST_NULL, N, &status); //! argument/value 2 flag
    FAULT MPI_Test_cancelled(N, &flag); //! argument/value 1 status
    FAULT { for (int i = 0; i < 2; i++) MPI_Irecv(out + i, 1, MPI_INT, 0, 97, MPI_COMM_SELF, &requests[i]); requests[2] = requests[0]; MPI_Waitall(3, requests, statuses); requests[2] = MPI_REQUEST_NULL; for (int i = 0; i < 2; i++) { MPI_Cancel(&requests[i]); MPI_Wait(&requests[i], &status); } } //! argument/request 2 array_of_requests
    FAULT { MPI_Request many[40]; for (int i = 0; i < 40; i++) MPI_Irecv(in, 0, MPI_INT, 0, 96, MPI_COMM_SELF, &many[i]); goner = many[39]; many[39] = many[3]; MPI_Testall(40, many, &flag, MPI_STATUSES_IGNORE); many[39] = goner; for (int i = 0; i < 40; i++) { MPI_Cancel(&many[i]); MPI_Wait(&many[i], &status); } } //! argument/request 2 array_of_requests
    FAULT { MPI_Irecv(out, 1, MPI_INT, 0, 94, MPI_COMM_SELF, &requests[0]); requests[1] = requests[0]; MPI_Isend(in, 1, MPI_INT, 0, 94, MPI_COMM_SELF, &request); MPI_Waitany(2, requests, &index_, &status); requests[0] = requests[1] = MPI_REQUEST_NULL; MPI_Wait(&request, &status); } //! argument/request 2 array_of_requests
    FAULT { MPI_Irecv(out, 1, MPI_INT, 0, 94, MPI_COMM_SELF, &requests[0]); requests[1] = requests[0]; MPI_Isend(in, 1, MPI_INT, 0, 94, MPI_COMM_SELF, &request); do { MPI_Testany(2, requests, &index_, &flag, &status); } while (!flag); requests[0] = requests[1] = MPI_REQUEST_NULL; MPI_Wait(&request, &status); } //! argument/request 2 array_of_requests
    FAULT { int places[3]; for (int i = 0; i < 2; i++) MPI_Irecv(out + i, 1, MPI_INT, 0, 97, MPI_COMM_SELF, &requests[i]); requests[2] = requests[0]; MPI_Waitsome(3, requests, &n, places, statuses); requests[2] = MPI_REQUEST_NULL; for (int i = 0; i < 2; i++) { MPI_Cancel(&requests[i]); MPI_Wait(&requests[i], &status); } } //! argument/request 2 array_of_requests
    FAULT { int places[3]; for (int i = 0; i < 2; i++) MPI_Irecv(out + i, 1, MPI_INT, 0, 97, MPI_COMM_SELF, &requests[i]); requests[2] = requests[0]; MPI_Testsome(3, requests, &n, places, statuses); requests[2] = MPI_REQUEST_NULL; for (int i = 0; i < 2; i++) { MPI_Cancel(&requests[i]); MPI_Wait(&requests[i], &status); } } //! argument/request 2 array_of_requests
    FAULT { MPI_Recv_init(out, 1, MPI_INT, 0, 95, MPI_COMM_SELF, &requests[0]); requests[1] = requests[0]; MPI_Startall(2, requests); MPI_Request_free(requests); requests[1] = MPI_REQUEST_NULL; } //! argument/request 2 array_of_requests
    /* partitioned */
    NOT_CENTRAL FAULT MPI_Psend_init(in, -1, 1, MPI_INT, MPI_PROC_NULL, 0, W, MPI_INFO_NULL, &request); //! argument/value 2 partitions
    NOT_CENTRAL FAULT MPI_Psend_init(in, 1, -1, MPI_INT, MPI_PROC_NULL, 0, W, MPI_INFO_NULL, &request); //! argument/count 3 count
    NOT_CENTRAL FAULT { MPI_Psend_init(in, 2, 1, MPI_INT, 0, 5, MPI_COMM_SELF, MPI_INFO_NULL, &request); MPI_Pready(0, request); } //! argument/request 2 request
    NOT_CENTRAL FAULT { MPI_Psend_init(in, 2, 1, MPI_INT, 0, 6, MPI_COMM_SELF, MPI_INFO_NULL, &request); MPI_Start(&request); MPI_Pready(7, request); } //! argument/value 1 partition
    NOT_CENTRAL FAULT { MPI_Psend_init(in, 2, 1, MPI_INT, 0, 7, MPI_COMM_SELF, MPI_INFO_NULL, &request); MPI_Start(&request); MPI_Pready(0, request); MPI_Pready(0, request); } //! argument/value 1 partition
    NOT_CENTRAL FAULT { MPI_Psend_init(in, 2, 1, MPI_INT, 0, 8, MPI_COMM_SELF, MPI_INFO_NULL, &request); MPI_Start(&request); MPI_Pready_range(0, 2, request); } //! argument/value 2 partition_high
    NOT_CENTRAL FAULT { MPI_Psend_init(in, 2, 1, MPI_INT, 0, 12, MPI_COMM_SELF, MPI_INFO_NULL, &request); MPI_Start(&request); MPI_Pready_range(1, 0, request); } //! argument/value 1 partition_low
    NOT_CENTRAL FAULT { MPI_Psend_init(in, 2, 1, MPI_INT, 0, 9, MPI_COMM_SELF, MPI_INFO_NULL, &request); MPI_Start(&request); MPI_Pready_list(2, zero, request); } //! argument/value 2 array_of_partitions
    NOT_CENTRAL FAULT { MPI_Precv_init(in, 2, 1, MPI_INT, 0, 10, MPI_COMM_SELF, MPI_INFO_NULL, &request); MPI_Start(&request); MPI_Pready(0, request); } //! argument/request 2 request
    NOT_CENTRAL FAULT { MPI_Precv_init(in, 2, 1, MPI_INT, 0, 11, MPI_COMM_SELF, MPI_INFO_NULL, &request); MPI_Start(&request); MPI_Parrived(request, 5, &flag); } //! argument/value 2 partition
    NOT_CENTRAL FAULT MPI_Pready(0, MPI_REQUEST_NULL); //! argument/request 2 request
    NOT_CENTRAL FAULT MPI_Parrived(MPI_REQUEST_NULL, 0, N); //! argument/value 3 flag
    /* collectives */
    FAULT MPI_Bcast(N, 1, MPI_INT, 0, W); //! argument/buffer 1 buffer
    FAULT MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, W); //! argument/buffer 1 buffer
    FAULT MPI_Ibcast(MPI_IN_PLACE, 1, MPI_INT, 0, W, &request); //! argument/buffer 1 buffer
    FAULT MPI_Allreduce(in, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, W); //! argument/buffer 2 recvbuf
    FAULT MPI_Iallgather(in, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, W, &request); //! argument/buffer 4 recvbuf
    FAULT MPI_Alltoall(in, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, W); //! argument/buffer 4 recvbuf
    FAULT MPI_Scan(in, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, W); //! argument/buffer 2 recvbuf
    FAULT MPI_Reduce_scatter_block(in, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, W); //! argument/buffer 2 recvbuf
    FAULT MPI_Reduce(in, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, 0, W); //! argument/buffer 2 recvbuf
    FAULT MPI_Gather(in, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, 0, W); //! argument/buffer 4 recvbuf
    FAULT MPI_Scatter(MPI_IN_PLACE, 1, MPI_INT, out, 1, MPI_INT, 0, W); //! argument/buffer 1 sendbuf
    FAULT MPI_Bcast(in, -1, MPI_INT, 0, W); //! argument/count 2 count
    FAULT MPI_Bcast(in, 1, MPI_INT, -1, W); //! argument/root 4 root
    FAULT MPI_Bcast(in, 1, MPI_INT, 9, W); //! argument/root 4 root
    FAULT MPI_Bcast(in, 1, uncommitted, 0, W); //! argument/datatype 3 datatype
    FAULT MPI_Bcast(in, 1, copy, 0, W); //! argument/datatype 3 datatype
    FAULT MPI_Barrier(MPI_COMM_NULL); //! argument/communicator 1 comm
    FAULT MPI_Ibarrier(W, N); //! argument/value 2 request
    FAULT MPI_Gather(in, 1, MPI_INT, out, -1, MPI_INT, 0, W); //! argument/count 5 recvcount
    FAULT MPI_Gather(in, 1, MPI_INT, N, 1, MPI_INT, 0, W); //! argument/buffer 4 recvbuf
    FAULT MPI_Gatherv(in, 1, MPI_INT, out, N, zero, MPI_INT, 0, W); //! argument/value 5 recvcounts
    FAULT MPI_Gatherv(in, 1, MPI_INT, out, one, N, MPI_INT, 0, W); //! argument/value 6 displs
    FAULT MPI_Gatherv(in, 1, MPI_INT, out, neg, zero, MPI_INT, 0, W); //! argument/count 5 recvcounts
    FAULT MPI_Scatterv(in, N, zero, MPI_INT, out, 1, MPI_INT, 0, W); //! argument/value 2 sendcounts
    FAULT MPI_Scatterv(in, one, N, MPI_INT, out, 1, MPI_INT, 0, W); //! argument/value 3 displs
    FAULT MPI_Scatterv(in, neg, zero, MPI_INT, out, 1, MPI_INT, 0, W); //! argument/count 2 sendcounts
    FAULT MPI_Allgatherv(in, 1, MPI_INT, out, N, zero, MPI_INT, W); //! argument/value 5 recvcounts
    FAULT MPI_Allgatherv(in, 1, MPI_INT, out, one, N, MPI_INT, W); //! argument/value 6 displs
    FAULT MPI_Allgatherv(in, 1, MPI_INT, out, neg, zero, MPI_INT, W); //! argument/count 5 recvcounts
    FAULT MPI_Iallgatherv(in, 1, MPI_INT, out, N, zero, MPI_INT, W, &request); //! argument/value 5 recvcounts
    FAULT MPI_Alltoallv(in, N, zero, MPI_INT, out, one, zero, MPI_INT, W); //! argument/value 2 sendcounts
    FAULT MPI_Alltoallv(in, one, N, MPI_INT, out, one, zero, MPI_INT, W); //! argument/value 3 sdispls
    FAULT MPI_Alltoallv(in, one, zero, MPI_INT, out, one, N, MPI_INT, W); //! argument/value 7 rdispls
    FAULT MPI_Alltoallv(in, one, zero, MPI_INT, out, N, zero, MPI_INT, W); //! argument/value 6 recvcounts
    FAULT MPI_Alltoallw(in, one, zero, N, out, one, zero, types, W); //! argument/value 4 sendtypes
    FAULT MPI_Alltoallw(in, one, zero, types, out, one, zero, N, W); //! argument/value 8 recvtypes
    FAULT MPI_Alltoallw(in, N, zero, types, out, one, zero, types, W); //! argument/value 2 sendcounts
    FAULT MPI_Ialltoallv(in, one, N, MPI_INT, out, one, zero, MPI_INT, W, &request); //! argument/value 3 sdispls
    FAULT MPI_Reduce_scatter(in, out, N, MPI_INT, MPI_SUM, W); //! argument/value 3 recvcounts
    FAULT MPI_Reduce_scatter(in, out, neg, MPI_INT, MPI_SUM, W); //! argument/count 3 recvcounts
    FAULT MPI_Reduce(in, N, 1, MPI_INT, MPI_SUM, 0, W); //! argument/buffer 2 recvbuf
    FAULT MPI_Allreduce(in, out, -1, MPI_INT, MPI_SUM, W); //! argument/count 3 count
    FAULT MPI_Allreduce(in, out, 1, MPI_FLOAT, MPI_LXOR, W); //! argument/operator 5 op
    FAULT MPI_Allreduce(in, out, 1, MPI_DOUBLE, MPI_BAND, W); //! argument/operator 5 op
    FAULT MPI_Allreduce(in, out, 1, MPI_INT, MPI_MAXLOC, W); //! argument/operator 5 op
    FAULT MPI_Allreduce(in, out, 1, MPI_C_FLOAT_COMPLEX, MPI_MAX, W); //! argument/operator 5 op
    FAULT MPI_Allreduce(in, out, 1, MPI_CHAR, MPI_SUM, W); //! argument/operator 5 op
    FAULT MPI_Allreduce(in, out, 1, MPI_BYTE, MPI_SUM, W); //! argument/operator 5 op
    FAULT MPI_Allreduce(in, out, 1, MPI_LOGICAL, MPI_SUM, W); //! argument/operator 5 op
    FAULT MPI_Allreduce(in, out, 1, MPI_FLOAT, MPI_LAND, W); //! argument/operator 5 op
    FAULT MPI_Allreduce(in, out, 1, MPI_DOUBLE, MPI_LOR, W); //! argument/operator 5 op
    FAULT MPI_Allreduce(in, out, 1, MPI_2INT, MPI_SUM, W); //! argument/operator 5 op
    FAULT MPI_Allreduce(in, out, 1, pair, MPI_SUM, W); //! argument/operator 5 op
    FAULT MPI_Allreduce(in, out, 1, MPI_INT, MPI_REPLACE, W); //! argument/operator 5 op
    FAULT MPI_Allreduce(in, out, 1, MPI_INT, MPI_NO_OP, W); //! argument/operator 5 op
    FAULT MPI_Allreduce(in, out, 1, MPI_INT, MPI_OP_NULL, W); //! argument/operator 5 op
    FAULT MPI_Allreduce(in, out, 1, MPI_INT, goneop, W); //! argument/operator 5 op
    FAULT MPI_Reduce(in, out, 1, MPI_FLOAT, MPI_BXOR, 0, W); //! argument/operator 5 op
    FAULT MPI_Scan(in, out, 1, MPI_FLOAT, MPI_BOR, W); //! argument/operator 5 op
    FAULT MPI_Exscan(in, out, 1, MPI_FLOAT, MPI_BOR, W); //! argument/operator 5 op
    FAULT MPI_Reduce_local(in, out, 1, MPI_FLOAT, MPI_BOR); //! argument/operator 5 op
    FAULT MPI_Iallreduce(in, out, 1, MPI_FLOAT, MPI_LXOR, W, &request); //! argument/operator 5 op
    FAULT MPI_Reduce_scatter_block(in, out, 1, MPI_FLOAT, MPI_LXOR, W); //! argument/operator 5 op
    FAULT MPI_Reduce(in, out, 1, copy, MPI_SUM, 0, W); //! argument/datatype 4 datatype
    FAULT MPI_Allreduce(in, out, 1, copy, MPI_SUM, W); //! argument/datatype 4 datatype
    FAULT MPI_Reduce_scatter(in, out, one, copy, MPI_SUM, W); //! argument/datatype 4 datatype
    FAULT MPI_Reduce_scatter_block(in, out, 1, copy, MPI_SUM, W); //! argument/datatype 4 datatype
    FAULT MPI_Scan(in, out, 1, copy, MPI_SUM, W); //! argument/datatype 4 datatype
    FAULT MPI_Exscan(in, out, 1, copy, MPI_SUM, W); //! argument/datatype 4 datatype
    FAULT MPI_Neighbor_allgather(in, 1, MPI_INT, out, 1, MPI_INT, W); //! argument/topology 7 comm
    FAULT MPI_Neighbor_alltoallv(in, N, zero, MPI_INT, out, one, zero, MPI_INT, cart); //! argument/value 2 sendcounts
    /* communicators, groups */
    FAULT MPI_Comm_split(W, -3, 0, &comm); //! argument/value 2 color
    FAULT MPI_Comm_split(W, 0, 0, N); //! argument/value 4 newcomm
    NOT_CENTRAL FAULT MPI_Comm_split_type(W, 12345, 0, MPI_INFO_NULL, &comm); //! argument/value 2 split_type
    FAULT MPI_Comm_dup(W, N); //! argument/value 2 newcomm
    FAULT MPI_Comm_create(W, MPI_GROUP_NULL, &comm); //! argument/group 2 group
    FAULT MPI_Comm_create_group(W, MPI_GROUP_NULL, 0, &comm); //! argument/group 2 group
    FAULT MPI_Comm_free(N); //! argument/value 1 comm
    FAULT { comm = W; MPI_Comm_free(&comm); } //! argument/communicator 1 comm
    FAULT { comm = MPI_COMM_NULL; MPI_Comm_free(&comm); } //! argument/communicator 1 comm
    FAULT MPI_Intercomm_merge(W, 0, &comm); //! argument/communicator 1 intercomm
    FAULT MPI_Intercomm_create(W, 5, W, 0, 0, &comm); //! argument/rank 2 local_leader
    FAULT MPI_Intercomm_create(W, 0, W, 9, 0, &comm); //! argument/rank 4 remote_leader
    FAULT MPI_Intercomm_create(W, 0, W, 0, 0, &comm); //! argument/rank 4 remote_leader
    FAULT MPI_Comm_create_group(W, group, -1, &comm); //! argument/tag 3 tag
    FAULT { comm = W; MPI_Comm_disconnect(&comm); } //! argument/communicator 1 comm
    FAULT MPI_Comm_remote_size(W, &n); //! argument/communicator 1 comm
    FAULT MPI_Comm_remote_group(W, &group2); //! argument/communicator 1 comm
    FAULT MPI_Comm_rank(MPI_COMM_NULL, &n); //! argument/communicator 1 comm
    FAULT MPI_Comm_rank(W, N); //! argument/value 2 rank
    FAULT MPI_Comm_set_name(W, N); //! argument/value 2 comm_name
    FAULT MPI_Comm_get_name(W, N, &n); //! argument/value 2 comm_name
    FAULT MPI_Group_incl(group, 2, zero, &group2); //! argument/rank 3 ranks
    FAULT MPI_Group_excl(group, 2, zero, &group2); //! argument/rank 3 ranks
    FAULT MPI_Group_incl(group, 1, seven, &group2); //! argument/rank 3 ranks
    FAULT MPI_Group_incl(group, 1, neg, &group2); //! argument/rank 3 ranks
    FAULT MPI_Group_incl(group, -1, zero, &group2); //! argument/value 2 n
    FAULT MPI_Group_incl(group, 1, N, &group2); //! argument/value 3 ranks
    FAULT MPI_Group_incl(group, 1, zero, N); //! argument/value 4 newgroup
    FAULT MPI_Group_excl(group, 1, N, &group2); //! argument/value 3 ranks
    FAULT MPI_Group_range_incl(group, 2, ranges, &group2); //! argument/value|argument/rank 3 ranges
    FAULT MPI_Group_range_incl(group, 1, badrange, &group2); //! argument/value|argument/rank 3 ranges
    FAULT MPI_Group_range_excl(group, 1, zrange, &group2); //! argument/value 3 ranges
    FAULT MPI_Group_range_incl(group, 1, N, &group2); //! argument/value 3 ranges
    FAULT MPI_Group_translate_ranks(group, 1, seven, group, out); //! argument/rank 3 ranks1
    FAULT MPI_Group_translate_ranks(group, 1, N, group, out); //! argument/value 3 ranks1
    FAULT MPI_Group_translate_ranks(group, 1, zero, group, N); //! argument/value 5 ranks2
    FAULT MPI_Group_translate_ranks(group, -1, zero, group, out); //! argument/value 2 n
    FAULT MPI_Group_size(MPI_GROUP_NULL, &n); //! argument/group 1 group
    FAULT { group2 = goneg; MPI_Group_free(&group2); MPI_Group_size(goneg, &n); } //! argument/group 1 group
    FAULT { MPI_Group g3 = goneg; if (selected) { group2 = goneg; MPI_Group_free(&group2); } MPI_Group_free(&g3); } //! argument/group 1 group
    FAULT { group2 = MPI_GROUP_NULL; MPI_Group_free(&group2); } //! argument/group 1 group
    FAULT MPI_Group_union(group, MPI_GROUP_NULL, &group2); //! argument/group 2 group2
    /* operators */
    FAULT { op = MPI_SUM; MPI_Op_free(&op); } //! argument/operator 1 op
    FAULT { op = goneop; MPI_Op_free(&op); } //! argument/operator 1 op
    FAULT { op = MPI_OP_NULL; MPI_Op_free(&op); } //! argument/operator 1 op
    FAULT MPI_Op_create(N, 1, &op); //! argument/value 1 user_fn
    FAULT MPI_Op_create(add, 1, N); //! argument/value 3 op
    FAULT MPI_Op_commutative(goneop, &n); //! argument/operator 1 op
    /* topologies */
    FAULT MPI_Cart_create(W, 1, neg, zero, 0, &comm); //! argument/dimensions 3 dims
    FAULT MPI_Cart_create(W, 1, seven, zero, 0, &comm); //! argument/dimensions 3 dims
    FAULT MPI_Cart_create(W, -1, one, zero, 0, &comm); //! argument/value 2 ndims
    FAULT MPI_Cart_create(W, 1, N, zero, 0, &comm); //! argument/value 3 dims
    FAULT MPI_Cart_create(W, 1, one, N, 0, &comm); //! argument/value 4 periods
    FAULT MPI_Cart_rank(W, zero, &n); //! argument/topology 1 comm
    NOT_CENTRAL FAULT MPI_Cart_rank(cart, seven, &n); //! argument/value 2 coords
    FAULT MPI_Cart_rank(cart, N, &n); //! argument/value 2 coords
    FAULT MPI_Cart_coords(W, 0, 1, out); //! argument/topology 1 comm
    FAULT MPI_Cart_coords(cart, 9, 1, out); //! argument/rank 2 rank
    NOT_CENTRAL FAULT MPI_Cart_coords(cart, 0, 0, out); //! argument/value 3 maxdims
    FAULT MPI_Cart_coords(cart, 0, 1, N); //! argument/value 4 coords
    FAULT MPI_Cart_shift(W, 0, 1, out, in); //! argument/topology 1 comm
    NOT_CENTRAL FAULT MPI_Cart_shift(cart, 3, 1, out, in); //! argument/value 2 direction
    FAULT MPI_Cart_shift(cart, -1, 1, out, in); //! argument/value 2 direction
    FAULT MPI_Cart_shift(cart, 0, 1, N, in); //! argument/value 4 rank_source
    FAULT MPI_Cart_sub(W, one, &comm); //! argument/topology 1 comm
    FAULT MPI_Cart_sub(cart, N, &comm); //! argument/value 2 remain_dims
    FAULT MPI_Cart_get(W, 1, out, out, out); //! argument/topology 1 comm
    FAULT MPI_Cart_get(cart, 1, N, out, out); //! argument/value 3 dims
    FAULT MPI_Cartdim_get(W, &n); //! argument/topology 1 comm
    FAULT MPI_Cart_map(W, 1, neg, zero, &n); //! argument/dimensions 3 dims
    FAULT MPI_Cart_map(W, 1, N, zero, &n); //! argument/value 3 dims
    FAULT { int d[2] = {-1, 0}; MPI_Dims_create(4, 2, d); } //! argument/dimensions 3 dims
    FAULT { int d[2] = {3, 0}; MPI_Dims_create(4, 2, d); } //! argument/dimensions 3 dims
    FAULT MPI_Dims_create(4, 2, N); //! argument/value 3 dims
    FAULT MPI_Dims_create(-4, 2, zero); //! argument/value 1 nnodes
    NOT_CENTRAL FAULT MPI_Graph_create(W, 1, one, seven, 0, &comm); //! argument/value 4 edges
    NOT_CENTRAL FAULT MPI_Graph_create(W, 1, neg, zero, 0, &comm); //! argument/value 3 indx
    FAULT MPI_Graph_create(W, -1, one, zero, 0, &comm); //! argument/value 2 nnodes
    NOT_CENTRAL FAULT MPI_Graph_create(W, 9, one, zero, 0, &comm); //! argument/value 2 nnodes
    FAULT MPI_Graph_create(W, 1, N, zero, 0, &comm); //! argument/value 3 indx
    FAULT MPI_Graph_neighbors(W, 0, 1, out); //! argument/topology 1 comm
    FAULT MPI_Graph_neighbors(graph, 7, 1, out); //! argument/rank 2 rank
    FAULT MPI_Graph_neighbors_count(cart, 0, &n); //! argument/topology 1 comm
    FAULT MPI_Graph_get(W, 1, 1, out, in); //! argument/topology 1 comm
    FAULT MPI_Graphdims_get(W, &n, &index_); //! argument/topology 1 comm
    FAULT MPI_Topo_test(W, N); //! argument/value 2 status
    FAULT MPI_Dist_graph_create_adjacent(W, 1, seven, MPI_UNWEIGHTED, 0, N, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm); //! argument/rank 3 sources
    FAULT MPI_Dist_graph_create_adjacent(W, -1, zero, MPI_UNWEIGHTED, 0, N, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm); //! argument/value 2 indegree
    FAULT MPI_Dist_graph_create_adjacent(W, 1, zero, neg, 0, N, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm); //! argument/value 4 sourceweights
    FAULT MPI_Dist_graph_create(W, 1, zero, one, seven, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm); //! argument/rank 5 destinations
    FAULT MPI_Dist_graph_create(W, 1, zero, neg, zero, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm); //! argument/value 4 degrees
    FAULT MPI_Dist_graph_neighbors(W, 1, out, out, 1, out, out); //! argument/topology 1 comm
    FAULT MPI_Dist_graph_neighbors_count(W, &n, &n, &flag); //! argument/topology 1 comm
    /* datatypes */
    FAULT MPI_Type_contiguous(-1, MPI_INT, &made_); //! argument/count 1 count
    FAULT MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &made_); //! argument/datatype 2 oldtype
    FAULT MPI_Type_contiguous(1, MPI_INT, N); //! argument/value 3 newtype
    FAULT MPI_Type_contiguous(1, copy, &made_); //! argument/datatype 2 oldtype
    FAULT MPI_Type_get_contents(uncommitted, 0, 1, 1, n_ints, disp, types2); //! argument/count 2 max_integers
    FAULT MPI_Type_get_contents(uncommitted, 1, 1, 0, n_ints, disp, types2); //! argument/count 4 max_datatypes
    FAULT MPI_Type_vector(-1, 1, 1, MPI_INT, &made_); //! argument/count 1 count
    FAULT MPI_Type_vector(1, -1, 1, MPI_INT, &made_); //! argument/count 2 blocklength
    FAULT MPI_Type_create_hvector(1, -1, 1, MPI_INT, &made_); //! argument/count 2 blocklength
    FAULT MPI_Type_indexed(1, neg, zero, MPI_INT, &made_); //! argument/count 2 array_of_blocklengths
    FAULT MPI_Type_indexed(1, N, zero, MPI_INT, &made_); //! argument/value 2 array_of_blocklengths
    FAULT MPI_Type_indexed(1, one, N, MPI_INT, &made_); //! argument/value 3 array_of_displacements
    FAULT MPI_Type_indexed(-1, one, zero, MPI_INT, &made_); //! argument/count 1 count
    FAULT MPI_Type_create_hindexed(1, one, N, MPI_INT, &made_); //! argument/value 3 array_of_displacements
    FAULT MPI_Type_create_hindexed(1, N, disp, MPI_INT, &made_); //! argument/value 2 array_of_blocklengths
    FAULT MPI_Type_create_indexed_block(1, -1, zero, MPI_INT, &made_); //! argument/count 2 blocklength
    FAULT MPI_Type_create_indexed_block(1, 1, N, MPI_INT, &made_); //! argument/value 3 array_of_displacements
    FAULT MPI_Type_create_hindexed_block(1, 1, N, MPI_INT, &made_); //! argument/value 3 array_of_displacements
    FAULT MPI_Type_create_struct(1, one, disp, N, &made_); //! argument/value 4 array_of_types
    FAULT MPI_Type_create_struct(1, N, disp, types, &made_); //! argument/value 2 array_of_blocklengths
    FAULT MPI_Type_create_struct(1, one, N, types, &made_); //! argument/value 3 array_of_displacements
    FAULT MPI_Type_create_struct(1, neg, disp, types, &made_); //! argument/count 2 array_of_blocklengths
    FAULT MPI_Type_create_struct(-1, one, disp, types, &made_); //! argument/count 1 count
    FAULT MPI_Type_create_subarray(1, one, two, zero, MPI_ORDER_C, MPI_INT, &made_); //! argument/value 3 array_of_subsizes
    FAULT MPI_Type_create_subarray(1, two, one, two, MPI_ORDER_C, MPI_INT, &made_); //! argument/value 4 array_of_starts
    FAULT MPI_Type_create_darray(2, 0, 1, seven, (int[]){MPI_DISTRIBUTE_BLOCK}, (int[]){MPI_DISTRIBUTE_DFLT_DARG}, seven, MPI_ORDER_C, MPI_INT, &made_); //! argument/value 7 array_of_psizes
    FAULT MPI_Type_create_darray(2, 0, 1, seven, (int[]){999}, (int[]){MPI_DISTRIBUTE_DFLT_DARG}, two, MPI_ORDER_C, MPI_INT, &made_); //! argument/value 5 array_of_distribs
    FAULT MPI_Type_create_subarray(0, two, one, zero, MPI_ORDER_C, MPI_INT, &made_); //! argument/value 1 ndims
    FAULT MPI_Type_create_subarray(1, N, one, zero, MPI_ORDER_C, MPI_INT, &made_); //! argument/value 2 array_of_sizes
    FAULT MPI_Type_create_subarray(1, two, one, zero, 77, MPI_INT, &made_); //! argument/value 5 order
    FAULT MPI_Type_create_darray(1, 3, 1, two, N, two, one, MPI_ORDER_C, MPI_INT, &made_); //! argument/rank 2 rank
    FAULT MPI_Type_create_resized(MPI_DATATYPE_NULL, 0, 4, &made_); //! argument/datatype 1 oldtype
    FAULT MPI_Type_commit(N); //! argument/value 1 datatype
    FAULT { type = MPI_DATATYPE_NULL; MPI_Type_commit(&type); } //! argument/datatype 1 datatype
    FAULT { type = copy; MPI_Type_commit(&type); } //! argument/datatype 1 datatype
    FAULT { type = MPI_INT; MPI_Type_free(&type); } //! argument/datatype 1 datatype
    FAULT { type = MPI_FLOAT_INT; MPI_Type_free(&type); } //! argument/datatype 1 datatype
    FAULT { type = copy; MPI_Type_free(&type); } //! argument/datatype 1 datatype
    FAULT { type = MPI_DATATYPE_NULL; MPI_Type_free(&type); } //! argument/datatype 1 datatype
    FAULT MPI_Type_size(copy, &n); //! argument/datatype 1 datatype
    FAULT MPI_Type_size(MPI_INT, N); //! argument/value 2 size
    FAULT MPI_Type_get_extent(MPI_DATATYPE_NULL, &adr, &adr); //! argument/datatype 1 datatype
    FAULT { n = 0; MPI_Pack(in, 1, MPI_INT, N, 4, &n, W); } //! argument/buffer 4 outbuf
    FAULT MPI_Pack(in, 1, MPI_INT, out, 4, N, W); //! argument/value 6 position
    FAULT { n = 0; MPI_Pack(in, 2, MPI_INT, out, 4, &n, W); } //! argument/size 5 outsize
    FAULT { n = 0; MPI_Unpack(in, 4, &n, out, 2, MPI_INT, W); } //! argument/size 2 insize
    FAULT { MPI_Aint at = 0; MPI_Pack_external("native", in, 1, MPI_INT, out, 40, &at); } //! argument/value 1 datarep
    FAULT { MPI_Aint at = 0; MPI_Unpack_external("external", in, 40, &at, out, 1, MPI_INT); } //! argument/value 1 datarep
    FAULT { MPI_Aint at = 0; MPI_Pack_external_size("", 1, MPI_INT, &at); } //! argument/value 1 datarep
    FAULT { n = 0; MPI_Pack(in, -2, MPI_INT, out, 40, &n, W); } //! argument/count 2 incount
    /* info, errhandler, keyvals */
    FAULT MPI_Info_create(N); //! argument/value 1 info
    FAULT MPI_Info_set(gonei, "a", "b"); //! argument/info 1 info
    FAULT { MPI_Info_create(&info); MPI_Info_set(info, N, "b"); MPI_Info_free(&info); } //! argument/info 2 key
    FAULT { MPI_Info_create(&info); MPI_Info_set(info, "a", N); MPI_Info_free(&info); } //! argument/value 3 value
    FAULT { MPI_Info_create(&info); MPI_Info_set(info, "", "b"); MPI_Info_free(&info); } //! argument/info 2 key
    FAULT { MPI_Info_create(&info); MPI_Info_get_nthkey(info, 5, text); MPI_Info_free(&info); } //! argument/value 2 n
    FAULT { info = gonei; MPI_Info_free(&info); } //! argument/info 1 info
    FAULT { info = MPI_INFO_NULL; MPI_Info_free(&info); } //! argument/info 1 info
    FAULT MPI_Info_dup(MPI_INFO_NULL, &info); //! argument/info 1 info
    FAULT MPI_Info_set(MPI_INFO_NULL, "a", "b"); //! argument/info 1 info
    FAULT MPI_Info_delete(MPI_INFO_NULL, "a"); //! argument/info 1 info
    FAULT MPI_Info_get(MPI_INFO_NULL, "a", 4, text, &flag); //! argument/info 1 info
    FAULT MPI_Info_get_nkeys(MPI_INFO_NULL, &n); //! argument/info 1 info
    FAULT MPI_Comm_create_errhandler(N, &handler); //! argument/value 1 comm_errhandler_fn
    FAULT MPI_Comm_create_errhandler((MPI_Comm_errhandler_function*)ignore, N); //! argument/value 2 errhandler
    FAULT { handler = goneh; MPI_Errhandler_free(&handler); } //! argument/value 1 errhandler
    FAULT { handler = MPI_ERRHANDLER_NULL; MPI_Errhandler_free(&handler); } //! argument/value 1 errhandler
    FAULT MPI_Comm_set_errhandler(W, MPI_ERRHANDLER_NULL); //! argument/value 2 errhandler
    FAULT { MPI_Errhandler h; MPI_Comm_dup(W, &dup_); MPI_Comm_set_errhandler(dup_, goneh); MPI_Comm_free(&dup_); (void)h; } //! argument/value 2 errhandler
    FAULT { MPI_Errhandler h; MPI_Win_create_errhandler((MPI_Win_errhandler_function*)ignore, &h); MPI_Comm_set_errhandler(MPI_COMM_SELF, h); MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN); MPI_Errhandler_free(&h); } //! argument/value 2 errhandler
    FAULT { MPI_Errhandler h; MPI_File_create_errhandler((MPI_File_errhandler_function*)ignore, &h); MPI_Comm_set_errhandler(MPI_COMM_SELF, h); MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN); MPI_Errhandler_free(&h); } //! argument/value 2 errhandler
    FAULT { keyval = MPI_KEYVAL_INVALID; MPI_Comm_free_keyval(&keyval); } //! argument/keyval 1 comm_keyval
    FAULT MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, N, N); //! argument/value 3 comm_keyval
    FAULT MPI_Comm_set_attr(W, MPI_KEYVAL_INVALID, in); //! argument/keyval 2 comm_keyval
    FAULT MPI_Comm_get_attr(W, MPI_KEYVAL_INVALID, in, &flag); //! argument/keyval 2 comm_keyval
    FAULT MPI_Comm_set_attr(W, MPI_TAG_UB, in); //! argument/keyval 2 comm_keyval
    FAULT MPI_Comm_get_attr(W, MPI_TAG_UB, N, &flag); //! argument/value 3 attribute_val
    FAULT { int k; MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &k, N); MPI_Comm_set_attr(W, k, in); MPI_Type_free_keyval(&k); } //! argument/keyval 2 comm_keyval
    FAULT { int k, k2; MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &k, N); k2 = k; MPI_Comm_free_keyval(&k); MPI_Comm_set_attr(W, k2, in); } //! argument/keyval 2 comm_keyval
    FAULT { int k, k2; MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &k, N); k2 = k; MPI_Comm_free_keyval(&k); MPI_Comm_free_keyval(&k2); } //! argument/keyval 1 comm_keyval
    /* windows */
    NOT_CENTRAL FAULT MPI_Win_create(in, -1, 1, MPI_INFO_NULL, W, &gonew); //! argument/size 2 size
    NOT_CENTRAL FAULT MPI_Win_create(in, 4, 0, MPI_INFO_NULL, W, &gonew); //! argument/displacement 3 disp_unit
    NOT_CENTRAL FAULT MPI_Win_create(N, 4, 1, MPI_INFO_NULL, W, &gonew); //! argument/value 1 base
    NOT_CENTRAL FAULT MPI_Win_fence(0, MPI_WIN_NULL); //! argument/window 2 win
    NOT_CENTRAL FAULT { MPI_Win_fence(0, win); MPI_Put(in, -1, MPI_INT, 0, 0, 1, MPI_INT, win); MPI_Win_fence(0, win); } //! argument/count 2 origin_count
    NOT_CENTRAL FAULT { MPI_Win_fence(0, win); MPI_Put(in, 1, MPI_INT, 7, 0, 1, MPI_INT, win); MPI_Win_fence(0, win); } //! argument/rank 4 target_rank
    NOT_CENTRAL FAULT { MPI_Win_fence(0, win); MPI_Put(N, 1, MPI_INT, 0, 0, 1, MPI_INT, win); MPI_Win_fence(0, win); } //! argument/buffer 1 origin_addr
    NOT_CENTRAL FAULT { MPI_Win_fence(0, win); MPI_Fetch_and_op(N, out, MPI_INT, 0, 0, MPI_SUM, win); MPI_Win_fence(0, win); } //! argument/buffer 1 origin_addr
    NOT_CENTRAL FAULT { MPI_Win_fence(0, win); MPI_Fetch_and_op(out, N, MPI_INT, 0, 0, MPI_SUM, win); MPI_Win_fence(0, win); } //! argument/buffer 2 result_addr
    NOT_CENTRAL FAULT { MPI_Win_fence(0, win); MPI_Compare_and_swap(out, N, out + 2, MPI_INT, 0, 0, win); MPI_Win_fence(0, win); } //! argument/buffer 2 compare_addr
    NOT_CENTRAL FAULT { MPI_Win_fence(0, win); MPI_Put(out, 1, MPI_INT, 0, -1, 1, MPI_INT, win); MPI_Win_fence(0, win); } //! argument/displacement 5 target_disp
    NOT_CENTRAL FAULT { MPI_Win_fence(0, win); MPI_Accumulate(out, 1, MPI_FLOAT, 0, 0, 1, MPI_FLOAT, MPI_BAND, win); MPI_Win_fence(0, win); } //! argument/operator 8 op
    NOT_CENTRAL FAULT { MPI_Op_create(add, 1, &oneop); MPI_Win_fence(0, win); MPI_Accumulate(out, 1, MPI_INT, 0, 0, 1, MPI_INT, oneop, win); MPI_Win_fence(0, win); MPI_Op_free(&oneop); } //! argument/operator 8 op
    NOT_CENTRAL FAULT { gonew = MPI_WIN_NULL; MPI_Win_free(&gonew); } //! argument/window 1 win
    NOT_CENTRAL FAULT MPI_Win_lock(99, 0, 0, win); //! argument/lock 1 lock_type
    NOT_CENTRAL FAULT MPI_Win_fence(12345678, win); //! argument/assertion 1 assert
    NOT_CENTRAL FAULT MPI_Win_lock(MPI_LOCK_SHARED, 9, 0, win); //! argument/rank 2 rank
    /* wrong class */
    FAULT MPI_Send(in, 1, (MPI_Datatype)MPI_COMM_WORLD, MPI_PROC_NULL, 0, W); //! argument/datatype 3 datatype
    FAULT MPI_Send(in, 1, MPI_INT, MPI_PROC_NULL, 0, (MPI_Comm)MPI_INT); //! argument/communicator 6 comm
    FAULT MPI_Allreduce(in, out, 1, MPI_INT, (MPI_Op)MPI_INT, W); //! argument/operator 5 op
    FAULT MPI_Group_size((MPI_Group)MPI_COMM_WORLD, &n); //! argument/group 1 group
    FAULT MPI_Comm_size((MPI_Comm)0x7fffffff, &n); //! argument/communicator 1 comm
    FAULT MPI_Type_size((MPI_Datatype)0x7ffffffe, &n); //! argument/datatype 1 datatype
    FAULT MPI_Comm_size((MPI_Comm)0x84000123, &n); //! argument/communicator 1 comm
    /* files */
    NOT_CENTRAL FAULT MPI_File_open(W, N, MPI_MODE_RDONLY, MPI_INFO_NULL, &file); //! argument/value 2 filename
    NOT_CENTRAL FAULT MPI_File_open(W, "x", 0, MPI_INFO_NULL, &file); //! argument/mode 3 amode
    NOT_CENTRAL FAULT { file = MPI_FILE_NULL; MPI_File_close(&file); } //! argument/file 1 fh
    NOT_CENTRAL FAULT { file = MPI_FILE_NULL; MPI_File_read(file, in, 1, MPI_INT, &status); } //! argument/file 1 fh
    NOT_CENTRAL if (selected == 0) {
        const char* name = "modes_of_files";
        MPI_File_open(W, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file); MPI_File_write_at(file, 0, in, 8, MPI_INT, &status);
        NOT_CENTRAL FAULT MPI_File_read(file, out, 1, MPI_INT, &status); //! argument/file 1 fh
        NOT_CENTRAL FAULT MPI_File_read_at(file, 0, out, 1, MPI_INT, &status); //! argument/file 1 fh
        NOT_CENTRAL FAULT MPI_File_read_at_all(file, 0, out, 1, MPI_INT, &status); //! argument/file 1 fh
        MPI_File_close(&file);
        MPI_File_open(W, name, MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file); MPI_File_read_at(file, 0, out, 8, MPI_INT, &status);
        NOT_CENTRAL FAULT MPI_File_write(file, in, 1, MPI_INT, &status); //! argument/file 1 fh
        NOT_CENTRAL FAULT MPI_File_write_at(file, 0, in, 1, MPI_INT, &status); //! argument/file 1 fh
        NOT_CENTRAL FAULT MPI_File_write_all(file, in, 1, MPI_INT, &status); //! argument/file 1 fh
        NOT_CENTRAL FAULT if (MPI_File_iwrite_at(file, 0, in, 1, MPI_INT, &request) == MPI_SUCCESS) MPI_Wait(&request, &status); //! argument/file 1 fh
        MPI_File_close(&file);
        MPI_File_open(W, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file); MPI_File_write_at(file, 0, in, 64, MPI_INT, &status);
        NOT_CENTRAL FAULT MPI_File_write(file, N, 2, MPI_INT, &status); //! argument/buffer 2 buf
        NOT_CENTRAL FAULT MPI_File_write_at(file, 0, N, 2, MPI_INT, &status); //! argument/buffer 3 buf
        NOT_CENTRAL FAULT MPI_File_write_at(file, -4, in, 2, MPI_INT, &status); //! argument/value 2 offset
        NOT_CENTRAL FAULT MPI_File_read_at_all(file, -4, out, 2, MPI_INT, &status); //! argument/value 2 offset
        NOT_CENTRAL FAULT MPI_File_iread_at(file, -4, out, 2, MPI_INT, &request); //! argument/value 2 offset
        NOT_CENTRAL FAULT MPI_File_seek(file, -4, MPI_SEEK_SET); //! argument/value 2 offset
        NOT_CENTRAL FAULT MPI_File_set_view(file, -4, MPI_INT, MPI_INT, "native", MPI_INFO_NULL); //! argument/value 2 disp
        NOT_CENTRAL FAULT MPI_File_set_view(file, 0, MPI_DATATYPE_NULL, MPI_INT, "native", MPI_INFO_NULL); //! argument/value 3 etype
        NOT_CENTRAL FAULT MPI_File_set_view(file, 0, MPI_INT, MPI_DATATYPE_NULL, "native", MPI_INFO_NULL); //! argument/value 4 filetype
        NOT_CENTRAL FAULT MPI_File_set_size(file, -4); //! argument/value 2 size
        NOT_CENTRAL FAULT MPI_File_preallocate(file, -4); //! argument/value 2 size
        NOT_CENTRAL FAULT MPI_File_write_all(file, N, 2, MPI_INT, &status); //! argument/buffer 2 buf
        NOT_CENTRAL FAULT MPI_File_write_at_all(file, 0, N, 2, MPI_INT, &status); //! argument/buffer 3 buf
        NOT_CENTRAL FAULT MPI_File_write_shared(file, N, 2, MPI_INT, &status); //! argument/buffer 2 buf
        NOT_CENTRAL FAULT MPI_File_write_ordered(file, N, 2, MPI_INT, &status); //! argument/buffer 2 buf
        NOT_CENTRAL FAULT if (MPI_File_write_all_begin(file, N, 2, MPI_INT) == MPI_SUCCESS) MPI_File_write_all_end(file, N, &status); //! argument/buffer 2 buf
        NOT_CENTRAL FAULT if (MPI_File_write_at_all_begin(file, 0, N, 2, MPI_INT) == MPI_SUCCESS) MPI_File_write_at_all_end(file, N, &status); //! argument/buffer 3 buf
        NOT_CENTRAL FAULT if (MPI_File_write_ordered_begin(file, N, 2, MPI_INT) == MPI_SUCCESS) MPI_File_write_ordered_end(file, N, &status); //! argument/buffer 2 buf
        NOT_CENTRAL FAULT if (MPI_File_iwrite(file, N, 2, MPI_INT, &request) == MPI_SUCCESS) MPI_Wait(&request, &status); //! argument/buffer 2 buf
        NOT_CENTRAL FAULT if (MPI_File_iwrite_at(file, 0, N, 2, MPI_INT, &request) == MPI_SUCCESS) MPI_Wait(&request, &status); //! argument/buffer 3 buf
        NOT_CENTRAL FAULT if (MPI_File_iwrite_all(file, N, 2, MPI_INT, &request) == MPI_SUCCESS) MPI_Wait(&request, &status); //! argument/buffer 2 buf
        NOT_CENTRAL FAULT if (MPI_File_iwrite_at_all(file, 0, N, 2, MPI_INT, &request) == MPI_SUCCESS) MPI_Wait(&request, &status); //! argument/buffer 3 buf
        NOT_CENTRAL FAULT if (MPI_File_iwrite_shared(file, N, 2, MPI_INT, &request) == MPI_SUCCESS) MPI_Wait(&request, &status); //! argument/buffer 2 buf
        NOT_CENTRAL FAULT MPI_File_write_shared(file, out, 1, copy, &status); //! argument/datatype 4 datatype
        NOT_CENTRAL FAULT MPI_File_read(file, N, 2, MPI_INT, &status); //! argument/buffer 2 buf
        NOT_CENTRAL FAULT MPI_File_read_at(file, 0, N, 2, MPI_INT, &status); //! argument/buffer 3 buf
        NOT_CENTRAL FAULT MPI_File_read_all(file, N, 2, MPI_INT, &status); //! argument/buffer 2 buf
        NOT_CENTRAL FAULT MPI_File_read_at_all(file, 0, N, 2, MPI_INT, &status); //! argument/buffer 3 buf
        NOT_CENTRAL FAULT MPI_File_read_shared(file, N, 2, MPI_INT, &status); //! argument/buffer 2 buf
        NOT_CENTRAL FAULT MPI_File_read_ordered(file, N, 2, MPI_INT, &status); //! argument/buffer 2 buf
        NOT_CENTRAL FAULT if (MPI_File_read_all_begin(file, N, 2, MPI_INT) == MPI_SUCCESS) MPI_File_read_all_end(file, N, &status); //! argument/buffer 2 buf
        NOT_CENTRAL FAULT if (MPI_File_read_at_all_begin(file, 0, N, 2, MPI_INT) == MPI_SUCCESS) MPI_File_read_at_all_end(file, N, &status); //! argument/buffer 3 buf
        NOT_CENTRAL FAULT if (MPI_File_read_ordered_begin(file, N, 2, MPI_INT) == MPI_SUCCESS) MPI_File_read_ordered_end(file, N, &status); //! argument/buffer 2 buf
        NOT_CENTRAL FAULT MPI_File_iread(file, N, 2, MPI_INT, &request); //! argument/buffer 2 buf
        NOT_CENTRAL FAULT MPI_File_iread_at(file, 0, N, 2, MPI_INT, &request); //! argument/buffer 3 buf
        NOT_CENTRAL FAULT if (MPI_File_iread_all(file, N, 2, MPI_INT, &request) == MPI_SUCCESS) MPI_Wait(&request, &status); //! argument/buffer 2 buf
        NOT_CENTRAL FAULT if (MPI_File_iread_at_all(file, 0, N, 2, MPI_INT, &request) == MPI_SUCCESS) MPI_Wait(&request, &status); //! argument/buffer 3 buf
        NOT_CENTRAL FAULT MPI_File_iread_shared(file, N, 2, MPI_INT, &request); //! argument/buffer 2 buf
        NOT_CENTRAL FAULT MPI_File_read_shared(file, out, 1, copy, &status); //! argument/datatype 4 datatype
        MPI_File_close(&file);
        MPI_File_open(W, name, MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL, MPI_INFO_NULL, &file);
        NOT_CENTRAL FAULT MPI_File_write(file, out, 1, MPI_INT, &status); //! argument/file 1 fh
        NOT_CENTRAL FAULT MPI_File_write_at(file, 0, out, 1, MPI_INT, &status); //! argument/file 1 fh
        NOT_CENTRAL FAULT MPI_File_write_all(file, out, 1, MPI_INT, &status); //! argument/file 1 fh
        NOT_CENTRAL FAULT MPI_File_write_at_all(file, 0, out, 1, MPI_INT, &status); //! argument/file 1 fh
        NOT_CENTRAL FAULT if (MPI_File_iwrite(file, out, 1, MPI_INT, &request) == MPI_SUCCESS) MPI_Wait(&request, &status); //! argument/file 1 fh
        NOT_CENTRAL FAULT if (MPI_File_iwrite_at(file, 0, out, 1, MPI_INT, &request) == MPI_SUCCESS) MPI_Wait(&request, &status); //! argument/file 1 fh
        NOT_CENTRAL FAULT if (MPI_File_write_all_begin(file, out, 1, MPI_INT) == MPI_SUCCESS) MPI_File_write_all_end(file, out, &status); //! argument/file 1 fh
        NOT_CENTRAL FAULT MPI_File_seek(file, 0, MPI_SEEK_SET); //! argument/file 1 fh
        NOT_CENTRAL FAULT MPI_File_seek_shared(file, 0, MPI_SEEK_SET); //! argument/file 1 fh
        NOT_CENTRAL FAULT { MPI_Offset at; MPI_File_get_position(file, &at); } //! argument/file 1 fh
        NOT_CENTRAL FAULT { MPI_Offset at; MPI_File_get_position_shared(file, &at); } //! argument/file 1 fh
        MPI_File_close(&file);
        MPI_File_open(W, name, MPI_MODE_RDONLY | MPI_MODE_SEQUENTIAL, MPI_INFO_NULL, &file);
        NOT_CENTRAL FAULT MPI_File_read(file, out, 1, MPI_INT, &status); //! argument/file 1 fh
        NOT_CENTRAL FAULT MPI_File_read_at(file, 0, out, 1, MPI_INT, &status); //! argument/file 1 fh
        NOT_CENTRAL FAULT MPI_File_read_all(file, out, 1, MPI_INT, &status); //! argument/file 1 fh
        NOT_CENTRAL FAULT MPI_File_read_at_all(file, 0, out, 1, MPI_INT, &status); //! argument/file 1 fh
        NOT_CENTRAL FAULT if (MPI_File_iread(file, out, 1, MPI_INT, &request) == MPI_SUCCESS) MPI_Wait(&request, &status); //! argument/file 1 fh
        NOT_CENTRAL FAULT if (MPI_File_iread_at(file, 0, out, 1, MPI_INT, &request) == MPI_SUCCESS) MPI_Wait(&request, &status); //! argument/file 1 fh
        NOT_CENTRAL FAULT if (MPI_File_read_all_begin(file, out, 1, MPI_INT) == MPI_SUCCESS) MPI_File_read_all_end(file, out, &status); //! argument/file 1 fh
        NOT_CENTRAL FAULT MPI_File_seek(file, 0, MPI_SEEK_SET); //! argument/file 1 fh
        NOT_CENTRAL FAULT MPI_File_seek_shared(file, 0, MPI_SEEK_SET); //! argument/file 1 fh
        NOT_CENTRAL FAULT { MPI_Offset at; MPI_File_get_position(file, &at); } //! argument/file 1 fh
        NOT_CENTRAL FAULT { MPI_Offset at; MPI_File_get_position_shared(file, &at); } //! argument/file 1 fh
        MPI_File_delete(name, MPI_INFO_NULL);
        MPI_File_close(&file);
    }
    /* others */
    FAULT MPI_Error_string(0, N, &n); //! argument/value 2 string
    FAULT MPI_Error_class(0, N); //! argument/value 2 errorclass
    FAULT MPI_Get_processor_name(N, &n); //! argument/value 1 name
    FAULT MPI_Alloc_mem(-5, MPI_INFO_NULL, &null_pointer); //! argument/value 1 size
    FAULT MPI_Alloc_mem(5, MPI_INFO_NULL, N); //! argument/value 3 baseptr
    FAULT MPI_Status_set_cancelled(N, 1); //! argument/value 1 status
    FAULT MPI_Status_set_elements(N, MPI_INT, 1); //! argument/value 1 status
    NOT_CENTRAL FAULT MPI_Grequest_start(N, N, N, N, &request); //! argument/value 1 query_fn
    FAULT MPI_Pack_size(-1, MPI_INT, W, &n); //! argument/count 1 incount
    FAULT MPI_Pack_size(1, uncommitted, W, &n); //! argument/datatype 2 datatype
    _Exit(0); /* what is left of the faulty calls would make MPI_Finalize wait */
}
