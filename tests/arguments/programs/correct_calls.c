/* Calls that look as if an argument were wrong, and are right: null pointers and numbers that do not matter where they
 * stand, or that MPI allows. Two ranks; each call has to succeed. Twin of faulty_calls.c. */
/* clang-format off */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef CENTRAL /* the centralized engine has no windows, files and partitioned transfers */
#define NOT_CENTRAL if (0)
#else
#define NOT_CENTRAL
#endif
#define W MPI_COMM_WORLD
#define S MPI_COMM_SELF
#define N NULL
#define OK(call) do { if ((call) != MPI_SUCCESS) { fprintf(stderr, "line %d failed\n", __LINE__); MPI_Abort(W, 1); } } while (0)
static int rank, flag, n, m, in[64], out[64], zero[4], one[4] = {1, 1, 1, 1}, two[4] = {0, 1, 2, 3}, ends[4] = {0, 1};
static void* detached;
static char room[4096];
static MPI_Datatype types[4], type, absolute, copy;
static MPI_Comm comm, cart, inter;
static MPI_Group group, part, again;
static MPI_Op op;
static MPI_Request request, requests[4];
static MPI_Status status;
static MPI_Info info;
static MPI_Errhandler handler;
static MPI_Win win;
static void add(void* a, void* b, int* l, MPI_Datatype* t) { for (int i = 0; i < *l; i++) ((int*)b)[i] += ((int*)a)[i]; (void)t; }
static void ignore(MPI_Comm* c, int* e, ...) { (void)c; (void)e; }
int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(W, &rank);
    const int root = rank == 0, peer = 1 - rank;
    for (int i = 0; i < 4; i++) types[i] = MPI_INT, requests[i] = MPI_REQUEST_NULL;
    /* no data */
    OK(MPI_Send(N, 0, MPI_INT, MPI_PROC_NULL, 0, W));
    OK(MPI_Recv(N, 0, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, W, MPI_STATUS_IGNORE));
    OK(MPI_Sendrecv(N, 0, MPI_INT, peer, 0, N, 0, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, W, &status));
    OK(MPI_Sendrecv(N, 0, MPI_BYTE, peer, 0, N, 0, MPI_BYTE, peer, 0, W, MPI_STATUS_IGNORE));
    OK(MPI_Isend(N, 0, MPI_INT, MPI_PROC_NULL, 0, W, &request)); OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Bcast(N, 0, MPI_INT, 0, W));
    OK(MPI_Allreduce(N, N, 0, MPI_INT, MPI_SUM, W));
    OK(MPI_Gather(N, 0, MPI_INT, N, 0, MPI_INT, 0, W));
    OK(MPI_Alltoallv(N, zero, zero, MPI_INT, out, zero, zero, MPI_INT, W));
    OK(MPI_Alltoallw(N, zero, zero, types, out, zero, zero, types, W));
    OK(MPI_Reduce_scatter(N, N, zero, MPI_INT, MPI_SUM, W));
    OK(MPI_Waitall(0, N, N)); OK(MPI_Waitall(0, N, MPI_STATUSES_IGNORE));
    OK(MPI_Startall(0, N));
    OK(MPI_Testall(0, N, &flag, MPI_STATUSES_IGNORE));
    OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    { /* handles of what completes at once may be the same */
        MPI_Request many[20]; for (int i = 0; i < 20; i++) OK(MPI_Isend(in, i % 2, MPI_INT, i % 3 ? MPI_PROC_NULL : peer, 7, W, &many[i]));
        for (int i = 0; i < 20; i += 3) OK(MPI_Recv(out, 1, MPI_INT, peer, 7, W, MPI_STATUS_IGNORE));
        OK(MPI_Waitall(20, many, MPI_STATUSES_IGNORE)); OK(MPI_Waitall(20, many, MPI_STATUSES_IGNORE)); }
    OK(MPI_Type_create_darray(2, rank, 2, two, (int[]){MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE}, (int[]){MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG}, (int[]){2, 1}, MPI_ORDER_C, MPI_INT, &type)); OK(MPI_Type_free(&type));
    OK(MPI_Wait(requests, MPI_STATUS_IGNORE)); OK(MPI_Test(requests, &flag, MPI_STATUS_IGNORE));
    OK(MPI_Reduce_local(N, N, 0, MPI_INT, MPI_SUM));
    { int ints[1]; MPI_Aint places[1]; MPI_Datatype of[1]; OK(MPI_Type_contiguous(2, MPI_INT, &type)); OK(MPI_Type_get_contents(type, 1, 0, 1, ints, places, of)); OK(MPI_Type_free(&type)); }
    OK(MPI_Type_contiguous(0, MPI_INT, &type)); OK(MPI_Type_free(&type));
    OK(MPI_Type_indexed(0, N, N, MPI_INT, &type)); OK(MPI_Type_free(&type));
    OK(MPI_Type_create_struct(0, N, N, N, &type)); OK(MPI_Type_free(&type));
    OK(MPI_Type_vector(1, 0, -3, MPI_INT, &type)); OK(MPI_Type_free(&type));
    OK(MPI_Comm_group(W, &group)); OK(MPI_Group_incl(group, 0, N, &part));
    OK(MPI_Group_excl(group, 0, N, &again)); OK(MPI_Group_free(&again));
    OK(MPI_Group_translate_ranks(group, 0, N, group, N));
    OK(MPI_Group_range_incl(group, 0, N, &again));
    OK(MPI_Pack(N, 0, MPI_INT, room, 0, (n = 0, &n), W));
    OK(MPI_Reduce_local(in, in + 2, 2, MPI_INT, MPI_SUM)); OK(MPI_Reduce_local(in + 4, in, 4, MPI_INT, MPI_MAX));
    OK(MPI_Pack(in, 2, MPI_INT, in, 32, (n = 8, &n), W)); OK(MPI_Unpack(in, 32, (n = 8, &n), in, 2, MPI_INT, W));
    /* arguments that matter to the root alone */
    OK(MPI_Gather(in, 1, MPI_INT, root ? out : N, root ? 1 : -5, root ? MPI_INT : MPI_DATATYPE_NULL, 0, W));
    OK(MPI_Gatherv(in, 1, MPI_INT, root ? out : N, root ? one : N, root ? ends : N, MPI_INT, 0, W));
    OK(MPI_Scatter(root ? in : N, root ? 1 : -1, MPI_INT, out, 1, MPI_INT, 0, W));
    OK(MPI_Scatterv(root ? in : N, root ? one : N, root ? ends : N, MPI_INT, out, 1, MPI_INT, 0, W));
    OK(MPI_Reduce(in, root ? out : N, 1, MPI_INT, MPI_SUM, 0, W));
    OK(MPI_Igatherv(in, 1, MPI_INT, root ? out : N, root ? one : N, root ? ends : N, MPI_INT, 0, W, &request)); OK(MPI_Wait(&request, &status));
    OK(MPI_Iscatterv(root ? in : N, root ? one : N, root ? ends : N, MPI_INT, out, 1, MPI_INT, 0, W, &request)); OK(MPI_Wait(&request, &status));
    OK(MPI_Gatherv(root ? MPI_IN_PLACE : (void*)in, root ? -1 : 1, root ? MPI_DATATYPE_NULL : MPI_INT, out, root ? one : N, root ? ends : N, MPI_INT, 0, W));
    /* in place */
    OK(MPI_Allreduce(MPI_IN_PLACE, out, 1, MPI_INT, MPI_MAX, W));
    OK(MPI_Alltoallv(MPI_IN_PLACE, N, N, MPI_DATATYPE_NULL, out, one, ends, MPI_INT, W));
    OK(MPI_Alltoallw(MPI_IN_PLACE, N, N, N, out, one, (int[]){0, 4}, types, W));
    OK(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, one, ends, MPI_INT, W));
    /* addresses in the datatype: a null pointer is MPI_BOTTOM */
    MPI_Aint where; MPI_Get_address(out, &where);
    OK(MPI_Type_create_hindexed(1, one, &where, MPI_INT, &absolute)); OK(MPI_Type_commit(&absolute));
    OK(MPI_Bcast(MPI_BOTTOM, 1, absolute, 0, W));
    OK(MPI_Sendrecv(in, 1, MPI_INT, peer, 1, MPI_BOTTOM, 1, absolute, peer, 1, W, &status));
    OK(MPI_Type_free(&absolute));
    /* operators and datatypes */
    OK(MPI_Allreduce(in, out, 1, MPI_INT, MPI_LXOR, W)); OK(MPI_Allreduce(in, out, 1, MPI_BYTE, MPI_BOR, W));
    OK(MPI_Allreduce(in, out, 1, MPI_C_BOOL, MPI_LAND, W)); OK(MPI_Allreduce(in, out, 1, MPI_2INT, MPI_MAXLOC, W));
    OK(MPI_Allreduce(in, out, 1, MPI_DOUBLE_INT, MPI_MINLOC, W)); OK(MPI_Allreduce(in, out, 1, MPI_C_DOUBLE_COMPLEX, MPI_PROD, W));
    OK(MPI_Allreduce(in, out, 1, MPI_AINT, MPI_SUM, W)); OK(MPI_Allreduce(in, out, 1, MPI_SIGNED_CHAR, MPI_SUM, W));
    OK(MPI_Allreduce(in, out, 1, MPI_UNSIGNED_CHAR, MPI_BXOR, W)); OK(MPI_Allreduce(in, out, 1, MPI_LOGICAL, MPI_LOR, W));
    OK(MPI_Allreduce(in, out, 1, MPI_INTEGER, MPI_BAND, W)); OK(MPI_Allreduce(in, out, 1, MPI_REAL8, MPI_MIN, W));
    OK(MPI_Allreduce(in, out, 1, MPI_LONG_LONG, MPI_LOR, W)); OK(MPI_Allreduce(in, out, 1, MPI_COUNT, MPI_MAX, W));
    OK(MPI_Op_create(add, 1, &op)); OK(MPI_Type_contiguous(1, MPI_INT, &type)); OK(MPI_Type_commit(&type));
    OK(MPI_Allreduce(in, out, 1, type, op, W)); OK(MPI_Allreduce(in, out, 1, MPI_INT, op, W));
    /* freed while in use, or freed and got again */
    OK(MPI_Irecv(out, 1, type, peer, 7, W, &request)); OK(MPI_Send(in, 1, type, peer, 7, W)); OK(MPI_Type_free(&type)); OK(MPI_Wait(&request, &status));
    OK(MPI_Iallreduce(in, out, 1, MPI_INT, op, W, &request)); OK(MPI_Op_free(&op)); OK(MPI_Wait(&request, &status));
    for (int i = 0; i < 3; i++) { OK(MPI_Op_create(add, 1, &op)); OK(MPI_Allreduce(in, out, 1, MPI_INT, op, W)); OK(MPI_Op_free(&op)); }
    for (int i = 0; i < 3; i++) { OK(MPI_Info_create(&info)); OK(MPI_Info_set(info, "a", "b")); OK(MPI_Info_free(&info)); }
    for (int i = 0; i < 3; i++) { OK(MPI_Comm_group(W, &again)); OK(MPI_Group_size(again, &n)); OK(MPI_Group_free(&again)); OK(MPI_Group_size(group, &n)); }
    for (int i = 0; i < 3; i++) { OK(MPI_Type_contiguous(2, MPI_INT, &type)); OK(MPI_Type_size(type, &n)); OK(MPI_Type_free(&type)); }
    OK(MPI_Comm_create_errhandler((MPI_Comm_errhandler_function*)ignore, &handler)); OK(MPI_Comm_set_errhandler(W, handler)); OK(MPI_Errhandler_free(&handler));
    OK(MPI_Comm_get_errhandler(W, &handler)); OK(MPI_Comm_set_errhandler(S, handler)); OK(MPI_Errhandler_free(&handler));
    OK(MPI_Comm_set_errhandler(W, MPI_ERRORS_ARE_FATAL)); OK(MPI_Comm_set_errhandler(S, MPI_ERRORS_ARE_FATAL));
    { int key, kept; OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, N)); kept = key; OK(MPI_Comm_set_attr(W, key, N)); OK(MPI_Comm_free_keyval(&key)); OK(MPI_Comm_delete_attr(W, kept)); }
    /* communicators, groups, topologies */
    OK(MPI_Comm_split(W, MPI_UNDEFINED, -7, &comm)); OK(MPI_Comm_split(W, 0, -rank, &comm)); OK(MPI_Comm_free(&comm));
    OK(MPI_Group_incl(group, 1, two + 1, &again)); OK(MPI_Group_free(&again));
    OK(MPI_Group_translate_ranks(group, 1, (int[]){MPI_PROC_NULL}, group, out));
    OK(MPI_Comm_split(W, rank, 0, &comm)); OK(MPI_Intercomm_create(comm, 0, W, peer, 5, &inter)); OK(MPI_Comm_remote_size(inter, &n));
    OK(MPI_Bcast(in, 1, MPI_INT, root ? MPI_ROOT : 0, inter)); OK(MPI_Intercomm_merge(inter, rank, &cart)); OK(MPI_Comm_free(&cart)); OK(MPI_Comm_free(&inter)); OK(MPI_Comm_free(&comm));
    OK(MPI_Cart_create(W, 1, two + 2, zero, 0, &cart)); OK(MPI_Cart_get(cart, 1, out, in, in + 1)); OK(MPI_Cart_shift(cart, 0, -1, &n, &m));
    OK(MPI_Neighbor_allgather(in, 1, MPI_INT, out, 1, MPI_INT, cart)); OK(MPI_Neighbor_alltoallv(in, one, ends, MPI_INT, out, one, ends, MPI_INT, cart)); OK(MPI_Comm_free(&cart));
    OK(MPI_Cart_create(W, 1, one, zero, 0, &cart)); if (cart != MPI_COMM_NULL) OK(MPI_Comm_free(&cart));
    OK(MPI_Dims_create(2, 2, (int[]){0, 1}));
    OK(MPI_Dist_graph_create_adjacent(W, 0, N, MPI_UNWEIGHTED, 0, N, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm));
    OK(MPI_Neighbor_alltoallv(N, N, N, MPI_INT, N, N, N, MPI_INT, comm)); OK(MPI_Comm_free(&comm));
    OK(MPI_Dist_graph_create_adjacent(W, 1, &peer, MPI_UNWEIGHTED, 1, &peer, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm)); OK(MPI_Comm_free(&comm));
    OK(MPI_Dist_graph_create(W, 1, &rank, one, &peer, one, MPI_INFO_NULL, 0, &comm)); OK(MPI_Comm_free(&comm));
    OK(MPI_Dist_graph_create(W, 0, N, N, N, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, &comm)); OK(MPI_Comm_free(&comm));
    /* datatypes and packing */
    OK(MPI_Type_create_subarray(1, two + 3, one, two + 2, MPI_ORDER_C, MPI_INT, &type)); OK(MPI_Type_free(&type));
    OK(MPI_Type_create_subarray(2, (int[]){4, 4}, (int[]){4, 1}, (int[]){0, 3}, MPI_ORDER_FORTRAN, MPI_INT, &type)); OK(MPI_Type_free(&type));
    OK(MPI_Type_create_resized(MPI_INT, -4, 16, &type)); OK(MPI_Type_commit(&type)); OK(MPI_Type_commit(&type)); OK(MPI_Type_free(&type));
    MPI_Aint at = 0; OK(MPI_Pack_external("external32", in, 2, MPI_INT, room, 8, &at)); OK(MPI_Pack_external_size("external32", 2, MPI_INT, &at));
    OK(MPI_Pack(in, 2, MPI_INT, room, 8, (n = 0, &n), W)); OK(MPI_Unpack(room, 8, (n = 4, &n), out, 1, MPI_INT, W));
    OK(MPI_Type_dup(MPI_INT, &copy)); OK(MPI_Type_free(&copy));
    /* statuses, buffers, requests */
    OK(MPI_Buffer_attach(room, sizeof room)); OK(MPI_Buffer_detach(&detached, &n)); OK(MPI_Buffer_attach(room, sizeof room)); OK(MPI_Buffer_detach(&detached, &n));
    OK(MPI_Recv_init(out, 1, MPI_INT, MPI_PROC_NULL, 0, W, &request)); for (int i = 0; i < 2; i++) { OK(MPI_Start(&request)); OK(MPI_Wait(&request, &status)); OK(MPI_Get_count(&status, MPI_INT, &n)); }
    OK(MPI_Wait(&request, &status)); OK(MPI_Request_free(&request));
    NOT_CENTRAL {
        OK(MPI_Win_create(N, 0, 1, MPI_INFO_NULL, W, &win)); OK(MPI_Win_fence(0, win)); OK(MPI_Put(N, 0, MPI_INT, MPI_PROC_NULL, 0, 0, MPI_INT, win)); OK(MPI_Win_fence(0, win)); OK(MPI_Win_free(&win));
        OK(MPI_Win_create(in, sizeof in, 4, MPI_INFO_NULL, W, &win)); OK(MPI_Win_fence(0, win));
        OK(MPI_Accumulate(out, 1, MPI_INT, peer, 0, 1, MPI_INT, MPI_REPLACE, win)); OK(MPI_Win_fence(0, win)); OK(MPI_Fetch_and_op(out, out + 1, MPI_INT, peer, 0, MPI_NO_OP, win)); OK(MPI_Win_fence(0, win)); OK(MPI_Win_free(&win));
        OK(MPI_Psend_init(in, 2, 1, MPI_INT, peer, 9, W, MPI_INFO_NULL, requests)); OK(MPI_Precv_init(out, 2, 1, MPI_INT, peer, 9, W, MPI_INFO_NULL, requests + 1));
        for (int i = 0; i < 2; i++) { OK(MPI_Startall(2, requests)); OK(MPI_Pready(i, requests[0])); OK(MPI_Pready_list(1, (int[]){1 - i}, requests[0])); OK(MPI_Parrived(requests[1], 1, &flag)); OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)); }
        OK(MPI_Request_free(requests)); OK(MPI_Request_free(requests + 1));
    }
    /* null and inactive requests may stand there twice */
    OK(MPI_Recv_init(out, 1, MPI_INT, MPI_PROC_NULL, 0, W, &requests[0])); requests[1] = requests[0]; requests[2] = requests[3] = MPI_REQUEST_NULL;
    OK(MPI_Waitsome(4, requests, &n, ends, MPI_STATUSES_IGNORE)); OK(MPI_Testsome(4, requests, &n, ends, MPI_STATUSES_IGNORE)); OK(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
    OK(MPI_Waitany(4, requests, &n, MPI_STATUS_IGNORE)); OK(MPI_Testany(4, requests, &n, &flag, MPI_STATUS_IGNORE));
    OK(MPI_Request_free(&requests[0])); requests[1] = MPI_REQUEST_NULL; ends[0] = 0; ends[1] = 1;
    NOT_CENTRAL { /* each file is used as its mode has it */
        char name[32]; MPI_File file; snprintf(name, sizeof name, "modes_%d", rank);
        OK(MPI_File_open(S, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file)); OK(MPI_File_write_at(file, 0, in, 4, MPI_INT, &status)); OK(MPI_File_write(file, in, 1, MPI_INT, &status)); OK(MPI_File_close(&file));
        OK(MPI_File_open(S, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file)); OK(MPI_File_read_at_all(file, 0, out, 4, MPI_INT, &status)); OK(MPI_File_read(file, out, 1, MPI_INT, &status)); OK(MPI_File_close(&file));
        OK(MPI_File_open(S, name, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file)); OK(MPI_File_read_at(file, 0, out, 4, MPI_INT, &status)); OK(MPI_File_write_at_all(file, 0, in, 4, MPI_INT, &status)); OK(MPI_File_close(&file));
    }
    NOT_CENTRAL { /* no data, or its addresses in the datatype; sequential files by the pointer that the ranks share */
        char name[32]; MPI_File file; MPI_Aint place; snprintf(name, sizeof name, "empty_%d", rank);
        OK(MPI_File_open(S, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
        OK(MPI_Get_address(in, &place)); OK(MPI_Type_create_hindexed(1, one, &place, MPI_INT, &absolute)); OK(MPI_Type_commit(&absolute));
        OK(MPI_File_write(file, MPI_BOTTOM, 1, absolute, &status)); OK(MPI_File_read_at(file, 0, MPI_BOTTOM, 1, absolute, &status));
        OK(MPI_File_write_at_all(file, 0, MPI_BOTTOM, 1, absolute, &status)); OK(MPI_File_iread_at(file, 0, MPI_BOTTOM, 1, absolute, &request)); OK(MPI_Wait(&request, &status));
        OK(MPI_File_write(file, N, 0, MPI_INT, &status)); OK(MPI_File_read_at(file, 0, N, 0, MPI_INT, &status)); OK(MPI_File_read_all(file, N, 0, MPI_INT, &status));
        OK(MPI_File_iwrite(file, N, 0, MPI_INT, &request)); OK(MPI_Wait(&request, &status)); OK(MPI_Wait(&request, &status));
        OK(MPI_Type_free(&absolute)); OK(MPI_File_close(&file));
        OK(MPI_File_open(S, name, MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file)); OK(MPI_File_write_ordered(file, in, 1, MPI_INT, &status)); OK(MPI_File_close(&file));
        MPI_Errhandler theirs; OK(MPI_Win_create_errhandler((MPI_Win_errhandler_function*)ignore, &theirs)); OK(MPI_Errhandler_free(&theirs));
    }
    OK(MPI_Group_free(&part)); OK(MPI_Group_free(&group));
    MPI_Finalize();
    return 0;
}
